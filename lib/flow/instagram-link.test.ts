import fc from "fast-check";
import { isPostId, parseInstagramLink, type LinkProblem } from "./instagram-link";
import { canonicalLink, likeLink } from "./post-links";

const code = "Cxyz123abc_";
const link = `https://www.instagram.com/p/${code}`;
const post = (postId = code) => ({ postId, type: "post" });
const reel = (postId = code) => ({ postId, type: "reel" });

describe("parseInstagramLink accepts", () => {
  it.each<[string, object]>([
    // The links of posts and reels as Instagram makes them.
    [`https://www.instagram.com/p/${code}/`, post()],
    [`https://www.instagram.com/p/${code}`, post()],
    [`https://instagram.com/p/${code}/`, post()],
    [`https://www.instagram.com/reel/${code}/`, reel()],
    [`https://www.instagram.com/p/${code}/?igsh=MzRlODBiNWFlZA==`, post()],
    [`https://www.instagram.com/reel/${code}/?utm_source=ig_web_copy_link&igsh=abc`, reel()],
    [`https://www.instagram.com/p/${code}?img_index=2`, post()],
    // Other link formats that visitors paste.
    [`  https://www.instagram.com/p/${code}/  `, post()],
    [`http://www.instagram.com/p/${code}/`, post()],
    [`www.instagram.com/p/${code}/`, post()],
    [`instagram.com/reel/${code}`, reel()],
    [`https://m.instagram.com/reel/${code}/`, reel()],
    [`https://www.instagram.com/reels/${code}/`, reel()],
    [`https://www.instagram.com/tv/${code}/`, post()],
    [`https://www.instagram.com/some.user_1/p/${code}/`, post()],
    [`https://www.instagram.com/some.user_1/reel/${code}/?igsh=1`, reel()],
    [`https://www.instagram.com/reel/${code}/embed`, reel()],
    [`https://www.instagram.com/p/${code}/#comments`, post()],
    [`https://www.instagram.com//p//${code}//`, post()],
    [`Look at this! https://www.instagram.com/reel/${code}/?igsh=abc 😍 wow`, reel()],
    [`(https://www.instagram.com/p/${code}/).`, post()],
    [`https://example.com/a then https://www.instagram.com/p/${code}/`, post()],
    [`https://www.instagram.com/someone/ and https://www.instagram.com/p/${code}/`, post()],
    // The codes of private posts are longer.
    [`https://www.instagram.com/p/${code}${"a".repeat(28)}/`, post(code + "a".repeat(28))],
    [`https://www.instagram.com./p/${code}/`, post()],
    [`HTTPS://WWW.Instagram.com/P/${code}/`, post()],
    // Paths that Instagram adds to a post, and text directly after the link.
    ...["/embed/", "/comments/", "/c/123/", "/liked_by/", "/media/?size=l", "/embed/captioned/"]
      .concat("%20", "%E2%80%8B", "&a", "שלום", ...'😍،。।»』】؟…‼’*=."\\')
      .map((tail): [string, object] => [link + tail, post()]),
    // Invisible characters before, inside and after the link.
    ...Array.from("\u200b\u200e\u2060\u2069\u00ad\ufeff\ufe0f")
      .flatMap((invisible) => [
        invisible + link + invisible,
        `www.insta${invisible}gram.com/p${invisible}/Cxyz${invisible}123abc_`,
        `${link}${invisible}Look!`,
      ])
      .map((text): [string, object] => [text, post()]),
    [`「instagram.com/p/${code}」と書いた`, post()],
    [`*www.instagram.com/p/${code}*`, post()],
    [`[a post](https://www.instagram.com/p/${code})`, post()],
    [`見て:https://www.instagram.com/p/${code}/、https://www.instagram.com/p/another/`, post()],
    // The same link twice, and two posts: the first one counts.
    [`${link}/${link}/`, post()],
    [`https://www.instagram.com/p/BXYZabhttps://www.instagram.com/p/BXYZab`, post("BXYZab")],
    [`www.instagram.com/p/BXYZabwww.instagram.com/p/BXYZab`, post("BXYZab")],
    [`https://www.instagram.com/reel/${code}/ https://www.instagram.com/p/another/`, reel()],
    // Mistyped schemes, keyboards of East Asia, links of Android and pages of Google Translate.
    ...["https://https://", "https://http//", "ttps://", "https:/", "https:", "https//", "https;//", "//"]
      .concat("https:\\\\", "https：／／", "https:///", "intent://", "see:")
      .map((scheme): [string, object] => [`${scheme}www.instagram.com/p/${code}/`, post()]),
    [`https:\\\\www.instagram.com\\p\\${code}\\`, post()],
    [`https://www-instagram-com.translate.goog/p/${code}/?_x_tr_sl=auto`, post()],
    // Links in links of Instagram.
    [`https://www.instagram.com/accounts/login/?next=%2Fp%2F${code}%2F`, post()],
    [`https://www.instagram.com/accounts/login/?next=/someone/reel/${code}/&source=x`, reel()],
    [`https://www.instagram.com/accounts/login/?next=%252Fp%252F${code}%252F`, post()],
    [`https://www.instagram.com/accounts/login/?next=/accounts/onetap/%3Fnext%3D%252Fp%252F${code}`, post()],
    [`https://l.instagram.com/?u=https%3A%2F%2Fwww.instagram.com%2Fp%2F${code}%2F%3Figsh%3D1&e=AT0`, post()],
    ["https://www.instagram.com/p/Cxyz123abc%5F/", post()],
  ])("%s", (text, expected) => {
    expect(parseInstagramLink(text)).toEqual({ ok: true, post: expected });
  });

  it("a link at the end of a long text, and a long link", () => {
    const text = `${"見 て\n".repeat(5_000)}${link}/?x=${"a".repeat(5_000)}`;
    expect(parseInstagramLink(text)).toEqual({ ok: true, post: post() });
  });
});

describe("parseInstagramLink rejects", () => {
  it.each<[string, LinkProblem]>([
    ["", "empty"],
    ["hello", "no-link"],
    ["@someone", "no-link"],
    [code, "no-link"],
    ["example.com/p/abc", "no-link"],
    ["https://", "no-link"],
    ["javascript:alert(1)", "no-link"],
    [`https://example.com/p/${code}/`, "other-site"],
    [`https://instagram.com.example.com/p/${code}/`, "other-site"],
    [`https://evil-instagram.com/p/${code}/`, "other-site"],
    [`https://www.instagram.com@example.com/p/${code}/`, "other-site"],
    [`https://user:secret@www.instagram.com/p/${code}/`, "other-site"],
    [`https://www.instagram.com:8443/p/${code}/`, "other-site"],
    [`https://ιnstagram.com/p/${code}/`, "other-site"],
    [`https://xn--nstagram-fcg.com/p/${code}/`, "other-site"],
    [`https://evil.test/instagram.com/p/${code}/`, "other-site"],
    [`evil.test/instagram.com/p/${code}/`, "no-link"],
    [`evil-instagram.com/p/${code}/`, "no-link"],
    [`https://evil.test%2F@www.instagram.com/p/${code}/`, "other-site"],
    [`https://www.instagram.com%2Fp%2F${code}%2F@evil.test/`, "other-site"],
    [`https://www.instagram.com\u200b.evil.test/p/${code}/`, "other-site"],
    [`https://evil.test/\u200binstagram.com/p/${code}/`, "other-site"],
    [`https://www.instagram.com/accounts/login/?next=https://evil.test/p/${code}/`, "other-site"],
    [`https://www.instagram.com/accounts/login/?next=//evil.test/p/${code}/`, "not-a-post"],
    ["https://www.tiktok.com/@someone/video/1", "other-site"],
    [`see:instagram.com.evil.test/p/${code}`, "other-site"],
    [`https://https://evil.test/www.instagram.com/p/${code}/`, "other-site"],
    [`https://https@www.instagram.com/p/${code}/`, "other-site"],
    [`https://www-instagram-com.evil.test/p/${code}/`, "other-site"],
    [`https:\\\\evil.test\\www.instagram.com\\p\\${code}`, "other-site"],
    [`https://example.com/?u=https://www.instagram.com/p/${code}/`, "other-site"],
    ["https://www.instagram.com/", "not-a-post"],
    ["https://www.instagram.com/accounts/login/", "not-a-post"],
    ["https://www.instagram.com/p/", "not-a-post"],
    ["https://www.instagram.com/accounts/login/?next=/someone/", "profile"],
    ["https://help.instagram.com/123", "not-a-post"],
    ["https://www.instagram.com/someone", "profile"],
    ["https://www.instagram.com/someone/reels/", "profile"],
    ["https://www.instagram.com/constructor/", "profile"],
    ["https://www.instagram.com/stories/someone/3012345678901234567/", "story"],
    ["https://www.instagram.com/s/aGlnaGxpZ2h0OjE3", "story"],
    ["https://www.instagram.com/share/p/BACabc123", "share"],
    [`https://instagr.am/p/${code}/`, "share"],
    ["https://l.instagram.com/?u=https%3A%2F%2Fexample.com%2Fp%2Fabc", "other-site"],
    ["https://www.instagram.com/reels/audio/123456789/", "audio"],
    ["https://www.instagram.com/p/Cxyz12…", "cut-off"],
    ["instagram.com/someone/reel/Cxyz12...", "cut-off"],
    ["https://www.instagram.com/p/abcdefghijkl/", "bad-code"],
    ["https://www.instagram.com/p/%2e%2e%2fetc/", "bad-code"],
    ["https://www.instagram.com/p/<script>/", "not-a-post"],
    [`https://www.instagram.com/p/${"a".repeat(40)}/`, "bad-code"],
  ])("%s: %s", (text, problem) => {
    const hasLink = problem !== "empty" && problem !== "no-link";
    const message = hasLink ? "Must be a valid Instagram post or reel URL" : "Must be a valid URL";
    const result = parseInstagramLink(text);
    expect(result).toMatchObject({ ok: false, problem, message });
    expect(!result.ok && result.hint !== null).toBe(hasLink);
  });
});

describe("parseInstagramLink with generated texts", () => {
  /** Parts of links and random texts. `anyText` joins pieces in any order. */
  const pieces =
    "https:// http: // www. m. instagram.com @ :443 /p/ /reel/ /reels/ /tv/ / someone /embed /stories/ ?a=b #x %2e .. \\ 。";
  const piece = fc.oneof(
    fc.constantFrom(code, " ", "\n", ...pieces.split(" ")),
    fc.string({ maxLength: 8 }),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const anyText = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.string(),
  );

  it("never throws, and returns a valid post or an error message", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = parseInstagramLink(text);
        if (result.ok) {
          expect(isPostId(result.post.postId)).toBe(true);
          expect(["post", "reel"]).toContain(result.post.type);
          expect(text).toContain(result.post.postId);
        } else {
          expect(result.message).toMatch(/^Must be a valid /);
        }
      }),
      { seed: 50, numRuns: 5_000 },
    );
  });

  it("parses the links that canonicalLink and likeLink build", () => {
    const character = fc.constantFrom(..."ABCXYZabcxyz0189_-");
    const anyPost = fc.record({
      postId: fc.oneof(
        fc.string({ unit: character, minLength: 1, maxLength: 11 }),
        fc.string({ unit: character, minLength: 29, maxLength: 39 }),
      ),
      type: fc.constantFrom("post" as const, "reel" as const),
    });
    fc.assert(
      fc.property(anyPost, (shown) => {
        expect(parseInstagramLink(canonicalLink(shown))).toEqual({ ok: true, post: shown });
        expect(parseInstagramLink(likeLink(shown.postId))).toEqual({ ok: true, post: post(shown.postId) });
      }),
      { seed: 50 },
    );
  });
});
