import fc from "fast-check";
import { isPostId, parseInstagramLink, type LinkProblem } from "./instagram-link";
import { canonicalLink, likeLink } from "./post-links";

const code = "Cxyz123abc_";
const post = (postId = code) => ({ postId, type: "post" });
const reel = (postId = code) => ({ postId, type: "reel" });

describe("parseInstagramLink accepts", () => {
  it.each([
    // Link formats from the specification.
    [`https://www.instagram.com/p/${code}/`, post()],
    [`https://www.instagram.com/p/${code}`, post()],
    [`https://instagram.com/p/${code}/`, post()],
    [`https://www.instagram.com/reel/${code}/`, reel()],
    [`https://www.instagram.com/reel/${code}`, reel()],
    [`https://instagram.com/reel/${code}/`, reel()],
    [`https://www.instagram.com/p/${code}/?igsh=MzRlODBiNWFlZA==`, post()],
    [`https://www.instagram.com/reel/${code}/?utm_source=ig_web_copy_link&igsh=abc`, reel()],
    [`https://www.instagram.com/p/${code}?img_index=2`, post()],
    // Other link formats that visitors paste.
    [`  https://www.instagram.com/p/${code}/  `, post()],
    [`http://www.instagram.com/p/${code}/`, post()],
    [`www.instagram.com/p/${code}/`, post()],
    [`instagram.com/reel/${code}`, reel()],
    [`m.instagram.com/p/${code}`, post()],
    [`https://m.instagram.com/reel/${code}/`, reel()],
    [`HTTPS://WWW.INSTAGRAM.COM/p/${code}/`, post()],
    [`https://www.instagram.com/reels/${code}/`, reel()],
    [`https://www.instagram.com/tv/${code}/`, post()],
    [`https://www.instagram.com/some.user_1/p/${code}/`, post()],
    [`https://www.instagram.com/some.user_1/reel/${code}/?igsh=1`, reel()],
    [`https://www.instagram.com/p/${code}/embed/`, post()],
    [`https://www.instagram.com/p/${code}/embed/captioned/`, post()],
    [`https://www.instagram.com/reel/${code}/embed`, reel()],
    [`https://www.instagram.com/p/${code}/#comments`, post()],
    [`https://www.instagram.com//p//${code}//`, post()],
    [`Check out this post: https://www.instagram.com/p/${code}/`, post()],
    [`Look at this! https://www.instagram.com/reel/${code}/?igsh=abc 😍 wow`, reel()],
    [`"https://www.instagram.com/p/${code}/"`, post()],
    [`<https://www.instagram.com/p/${code}/>`, post()],
    [`(https://www.instagram.com/p/${code}/).`, post()],
    [`see https://www.instagram.com/p/${code}.`, post()],
    [`https://example.com/a then https://www.instagram.com/p/${code}/`, post()],
    [`https://www.instagram.com/someone/ and https://www.instagram.com/p/${code}/`, post()],
    [`line one\nhttps://www.instagram.com/p/${code}/\nline three`, post()],
    ["https://www.instagram.com/p/B/", post("B")],
    ["https://www.instagram.com/p/-abc_DEF123/", post("-abc_DEF123")],
    [`https://www.instagram.com/p/${code}${"a".repeat(28)}/`, post(code + "a".repeat(28))],
    [`https://www.instagram.com./p/${code}/`, post()],
  ])("%s", (text, expected) => {
    expect(parseInstagramLink(text)).toEqual({ ok: true, post: expected });
  });
});

describe("parseInstagramLink rejects", () => {
  const noLink = "Must be a valid URL";
  const notAPost = "Must be a valid Instagram post or reel URL";
  const rows: [string, LinkProblem, string][] = [
    ["", "empty", noLink],
    ["   ", "empty", noLink],
    ["hello", "no-link", noLink],
    ["not a link at all", "no-link", noLink],
    ["@someone", "no-link", noLink],
    [code, "no-link", noLink],
    ["hello.world", "no-link", noLink],
    ["example.com/p/abc", "no-link", noLink],
    ["https://", "no-link", noLink],
    ["javascript:alert(1)", "no-link", noLink],
    ["constructor", "no-link", noLink],
    ["https://example.com/", "other-site", notAPost],
    [`https://example.com/p/${code}/`, "other-site", notAPost],
    [`https://instagram.com.example.com/p/${code}/`, "other-site", notAPost],
    [`https://evil-instagram.com/p/${code}/`, "other-site", notAPost],
    [`https://www.instagram.com@example.com/p/${code}/`, "other-site", notAPost],
    [`https://user:secret@www.instagram.com/p/${code}/`, "other-site", notAPost],
    [`https://www.instagram.com:8443/p/${code}/`, "other-site", notAPost],
    [`https://ιnstagram.com/p/${code}/`, "other-site", notAPost],
    ["https://www.tiktok.com/@someone/video/1", "other-site", notAPost],
    [`https://example.com/?u=https://www.instagram.com/p/${code}/`, "other-site", notAPost],
    ["https://www.instagram.com/", "not-a-post", notAPost],
    ["https://www.instagram.com/explore/", "not-a-post", notAPost],
    ["https://www.instagram.com/accounts/login/", "not-a-post", notAPost],
    ["https://www.instagram.com/p/", "not-a-post", notAPost],
    ["https://www.instagram.com/reel/", "not-a-post", notAPost],
    [`https://www.instagram.com/p/${code}/c/123`, "not-a-post", notAPost],
    [`https://www.instagram.com/p/${code}/liked_by/`, "not-a-post", notAPost],
    [`https://www.instagram.com/P/${code}/`, "profile", notAPost],
    ["https://www.instagram.com/someone", "profile", notAPost],
    ["https://www.instagram.com/some.one_1/", "profile", notAPost],
    ["https://www.instagram.com/someone/?igsh=1", "profile", notAPost],
    ["https://www.instagram.com/someone/tagged/", "profile", notAPost],
    ["https://www.instagram.com/constructor/", "profile", notAPost],
    ["https://www.instagram.com/stories/someone/3012345678901234567/", "story", notAPost],
    ["https://www.instagram.com/stories/highlights/17900000000000000/", "story", notAPost],
    ["https://www.instagram.com/s/aGlnaGxpZ2h0OjE3", "story", notAPost],
    ["https://www.instagram.com/share/p/BACabc123", "share", notAPost],
    ["https://www.instagram.com/share/reel/BACabc123", "share", notAPost],
    [`https://instagr.am/p/${code}/`, "share", notAPost],
    ["https://l.instagram.com/?u=https%3A%2F%2Fexample.com", "share", notAPost],
    ["https://www.instagram.com/reels/audio/123456789/", "audio", notAPost],
    ["https://www.instagram.com/p/abcdefghijkl/", "bad-code", notAPost],
    ["https://www.instagram.com/p/ab%20cd/", "bad-code", notAPost],
    ["https://www.instagram.com/p/%2e%2e%2fetc/", "bad-code", notAPost],
    ["https://www.instagram.com/p/<script>/", "not-a-post", notAPost],
    [`https://www.instagram.com/p/${"a".repeat(40)}/`, "bad-code", notAPost],
    [`https://www.instagram.com/p/${code}/?x=${"a".repeat(500)}`, "too-long", notAPost],
  ];

  it.each(rows)("%s", (text, problem, message) => {
    expect(parseInstagramLink(text)).toMatchObject({ ok: false, problem, message });
  });

  it("returns a hint for each rejected link, but not for a text without a link", () => {
    for (const [text, problem] of rows) {
      const result = parseInstagramLink(text);
      const needsHint = problem !== "empty" && problem !== "no-link";
      expect({ text, hint: !result.ok && result.hint !== null }).toEqual({ text, hint: needsHint });
    }
  });
});

it("builds links from the post code", () => {
  expect(canonicalLink({ postId: code, type: "reel" })).toBe(`https://www.instagram.com/reel/${code}/`);
  expect(canonicalLink({ postId: code, type: "post" })).toBe(`https://www.instagram.com/p/${code}/`);
  expect(likeLink(code)).toBe(`https://www.instagram.com/p/${code}/`);
  expect(isPostId(code)).toBe(true);
  expect(isPostId("../etc/passwd")).toBe(false);
});

describe("parseInstagramLink with generated texts", () => {
  /** Parts of links and random texts. `anyText` joins pieces in any order. */
  const piece = fc.oneof(
    fc.constantFrom(
      "https://",
      "http:",
      "//",
      "www.",
      "m.",
      "instagram.com",
      "@",
      ":443",
      "/p/",
      "/reel/",
      "/reels/",
    ),
    fc.constantFrom(
      "/tv/",
      "/",
      code,
      "someone",
      "/embed",
      "/stories/",
      "?a=b",
      "#x",
      " ",
      "\n",
      "%2e",
      "..",
      "\\",
      "。",
    ),
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
      fc.property(anyPost, ({ postId, type }) => {
        expect(parseInstagramLink(canonicalLink({ postId, type }))).toEqual({
          ok: true,
          post: { postId, type },
        });
        expect(parseInstagramLink(likeLink(postId))).toEqual({ ok: true, post: { postId, type: "post" } });
      }),
      { seed: 50 },
    );
  });
});
