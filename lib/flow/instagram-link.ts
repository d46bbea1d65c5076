import type { PostType } from "@/lib/http/api-responses";
import { fieldLimits } from "@/lib/config/limits";

export interface InstagramPost {
  postId: string;
  type: PostType;
}

export type LinkResult =
  | { ok: true; post: InstagramPost }
  | { ok: false; problem: LinkProblem; message: string; hint: string | null };

const instagramHosts = new Set(["instagram.com", "www.instagram.com", "m.instagram.com"]);
const otherInstagramHosts = new Set([
  "instagr.am",
  "www.instagr.am",
  "ig.me",
  "l.instagram.com",
  "help.instagram.com",
]);

/** A post code (shortcode) has up to 11 characters. Codes of old private posts have 28 more characters. */
const shortcodePattern = /^[A-Za-z0-9_-]{1,11}(?:[A-Za-z0-9_-]{28})?$/;
const usernamePattern = /^[A-Za-z0-9._]{1,30}$/;

const postTypesBySegment = new Map<string, PostType>([
  ["p", "post"],
  ["tv", "post"],
  ["reel", "reel"],
  ["reels", "reel"],
]);
/** First path segments on Instagram that are not usernames. */
const reservedSegments = /^(?:accounts|explore|direct|about|legal|developer|web|api|emails)$/;

/** Advice for each reason why a text is not a post link. */
const hints = {
  empty: null,
  "no-link": null,
  "too-long": "That text is too long. Paste only the link of the post.",
  "other-site": "That link leads to another site. Copy the link from the post on instagram.com.",
  profile: "That looks like a profile. Open one post or reel of it and copy its link.",
  story: "That looks like a story or highlight. Only posts and reels can get likes.",
  share: "That is a short share link. Open it, then copy the address of the post itself.",
  audio: "That is a page of a sound. Open one of its reels and copy its link.",
  "bad-code": "The part after /p/ or /reel/ is not a post code. Copy the link again.",
  "not-a-post": "Copy the link of one post or reel; it contains /p/ or /reel/.",
};

/** Reason why a text is not a post link. */
export type LinkProblem = keyof typeof hints;

/** Finds the first post link in a text. For security, callers use only the post code, not the URL. */
export function parseInstagramLink(text: string): LinkResult {
  const trimmed = text.trim();
  if (!trimmed) return reject("empty");
  if (trimmed.length > fieldLimits.link) return reject("too-long");
  // A text may contain several links. If none is a post link, the result describes the first Instagram link.
  const results = findUrls(trimmed).map(parsePostUrl);
  return (
    results.find((result) => result.ok) ??
    results.find((result) => !result.ok && result.problem !== "other-site") ??
    results[0] ??
    reject("no-link")
  );
}

/** Returns true if the text has the format of a post code. */
export function isPostId(text: string): boolean {
  return shortcodePattern.test(text);
}

function reject(problem: LinkProblem): LinkResult {
  const noUrl = problem === "empty" || problem === "no-link";
  const message = noUrl ? "Must be a valid URL" : "Must be a valid Instagram post or reel URL";
  return { ok: false, problem, message, hint: hints[problem] };
}

/** Finds all URLs. A word without "https://" is a URL only if it starts with an Instagram host. */
function findUrls(text: string): URL[] {
  const urls: URL[] = [];
  for (const word of text.split(/[\s<>"“”«»]+/)) {
    const bare = word.replace(/^[([{'‘*]+/, "").replace(/[)\]}'’*.,;:!?…]+$/, "");
    const start = bare.search(/https?:\/\//i);
    const candidate = start >= 0 ? bare.slice(start) : `https://${bare}`;
    if (!URL.canParse(candidate)) continue;
    const url = new URL(candidate);
    if (start >= 0 || isInstagramHost(url.hostname)) urls.push(url);
  }
  return urls;
}

function isInstagramHost(host: string): boolean {
  return instagramHosts.has(host) || otherInstagramHosts.has(host);
}

function parsePostUrl(url: URL): LinkResult {
  // Compares the whole host, because "instagram.com.evil.example" and "instagram.com@evil.example" are other sites.
  const host = url.hostname.replace(/\.$/, "");
  if (otherInstagramHosts.has(host)) return reject("share");
  if (!instagramHosts.has(host) || url.username || url.password || url.port) return reject("other-site");
  const segments = url.pathname.split("/").filter(Boolean);
  const [first = "", second] = segments;
  if (postTypesBySegment.has(first)) return parsePostPath(segments);
  if (first === "stories" || first === "s") return reject("story");
  if (first === "share") return reject("share");
  const isUsername = usernamePattern.test(first);
  if (isUsername && second !== undefined && postTypesBySegment.has(second))
    return parsePostPath(segments.slice(1));
  if (isUsername && !reservedSegments.test(first)) return reject("profile");
  return reject("not-a-post");
}

/** Parses `/{type}/{code}`, optionally followed by `/embed` or `/embed/captioned`. */
function parsePostPath([typeSegment = "", code, ...rest]: string[]): LinkResult {
  if (typeSegment === "reels" && code === "audio") return reject("audio");
  const type = postTypesBySegment.get(typeSegment);
  if (type === undefined || code === undefined) return reject("not-a-post");
  const tail = rest.join("/");
  if (!shortcodePattern.test(code)) return reject("bad-code");
  if (tail !== "" && tail !== "embed" && tail !== "embed/captioned") return reject("not-a-post");
  return { ok: true, post: { postId: code, type } };
}
