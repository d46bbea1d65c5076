import { parseUrl } from "@/lib/http/parse-url";
import type { InstagramPost } from "@/lib/schemas/api-responses";

export type { InstagramPost };

export type LinkResult =
  | { ok: true; post: InstagramPost }
  | { ok: false; problem: LinkProblem; message: string; hint: string | null };

/** Instagram's hosts, with the problem of those that have no posts. Links of l.instagram.com contain another link. */
const problemsByHost = new Map<string, LinkProblem | null>([
  ...["instagram.com", "www.instagram.com", "m.instagram.com"].map((host) => [host, null] as const),
  ["www-instagram-com.translate.goog", null],
  ...["instagr.am", "www.instagr.am", "ig.me"].map((host) => [host, "share"] as const),
  ...["l.instagram.com", "help.instagram.com"].map((host) => [host, "not-a-post"] as const),
]);

/**
 * Characters without width, characters for the direction of text, soft hyphens and variation selectors. Browsers encode
 * some of them in a copied address.
 */
const invisible =
  /\p{Default_Ignorable_Code_Point}|%E2%80%(?:8[B-F]|A[A-E])|%E2%81%A[0-F]|%EF%BB%BF|%C2%AD/giu;

/** Schemes before an Instagram host, also mistyped, repeated or of an app: `https//`, `https://https://`, `intent://`. */
const schemes = /^(?:\w{1,8}(?::\/*|\/\/+))+(?=(?:www[.-]|m\.)?instagram[.-]com)/i;

/** A post code (shortcode) has up to 11 characters. Codes of old private posts have 28 more characters. */
const shortcodePattern = /^[A-Za-z0-9_-]{1,11}(?:[A-Za-z0-9_-]{28})?$/;
/** A post code at the start of a text, before a character of no code or before the host of the next link. */
const leadingShortcode =
  /^[A-Za-z0-9_-]{1,11}?(?:[A-Za-z0-9_-]{28})??(?=(?:www\.|m\.)?instagram\.com|[^A-Za-z0-9_-]|$)/;
/** A link of Instagram that an app has shortened for display: dots follow a code that is too short. */
const cutOff = /instagram\.com\/(?:[\w.]+\/)?(?:p|tv|reels?)\/[\w-]{0,10}(?:…|\.{2,})$/i;
const usernamePattern = /^[a-z0-9._]{1,30}$/;
/** First path segments on Instagram that are not usernames. */
const reservedSegments = /^(?:accounts|explore|direct|about|legal|developer|web|api|emails)$/;

/** Advice for each reason why a text is not a post link. */
const hints = {
  empty: null,
  "no-link": null,
  "other-site": "That link leads to another site. Copy the link from the post on instagram.com.",
  profile: "That looks like a profile. Open one post or reel of it and copy its link.",
  story: "That looks like a story or highlight. Only posts and reels can get likes.",
  share: "That is a short share link. Open it, then copy the address of the post itself.",
  audio: "That is a page of a sound. Open one of its reels and copy its link.",
  "cut-off": "That link was cut off. Copy the whole link from the post.",
  "bad-code": "The part after /p/ or /reel/ is not a post code. Copy the link again.",
  "not-a-post": "Copy the link of one post or reel; it contains /p/ or /reel/.",
};

/** Reason why a text is not a post link. */
export type LinkProblem = keyof typeof hints;

/** Finds the first post link in a text. For security, callers use only the post code, not the URL. */
export function parseInstagramLink(text: string): LinkResult {
  if (!text.trim()) return reject("empty");
  const result = findPost(text.replace(invisible, ""));
  if (result.ok || result.problem !== "bad-code") return result;
  // The invisible character may have separated the code from the next word.
  const separated = findPost(text.replace(invisible, " "));
  return separated.ok ? separated : result;
}

/** Parses the first 100 links, because a text of 80 kB may have thousands. */
function findPost(text: string): LinkResult {
  const words = text
    .replace(/[\\／]/g, "/")
    .replace(/[;：]/g, ":")
    .split(/[\s<>"\p{Ps}\p{Pe}\p{Pi}\p{Pf}]+/u);
  const links = words.filter((word) => /https?:|insta|ig\.me/i.test(word)).slice(0, 100);
  const results = links.map(parseWord).filter((result) => result !== null);
  // Without a post link, the result describes the first Instagram link.
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

/** Parses the link in a word. Without "https://", a word is a link only if it starts with an Instagram host. */
function parseWord(word: string): LinkResult | null {
  const bare = (/[\p{L}\p{N}].*[\p{L}\p{N}/_-]/u.exec(word)?.[0] ?? "").replace(schemes, "https://");
  const start = bare.search(/https?:\/\//i);
  const link = start < 0 ? `https://${bare}` : bare.slice(start);
  const url = parseUrl(link);
  if (!url) return null;
  if (cutOff.test(word)) return reject("cut-off");
  const { href, hostname } = url;
  if (start < 0 && !problemsByHost.has(hostname)) return null;
  // Decodes only what follows the host, because "%2F" in a host or user name is no slash.
  const pathStart = href.indexOf("/", "https://".length);
  const [first = "", ...inner] = splitLinks(href.slice(pathStart));
  let result = parseLink(href.slice(0, pathStart) + first);
  for (const innerLink of inner.slice(0, 5)) {
    if (result.ok || result.problem === "other-site") break;
    result = parseLink(innerLink);
  }
  return result;
}

/** Decodes all levels of percent-encoding, and splits a path before each link in it, such as `?next=/p/…`. */
function splitLinks(path: string): string[] {
  return path
    .replace(/%(?:25)*([2-7][0-9a-f])/gi, (_, hex: string) => decodeURIComponent(`%${hex}`))
    .replace(/=\/(?=\w)/g, "=https://www.instagram.com/")
    .split(/(?=https?:\/\/)/i);
}

function parseLink(link: string): LinkResult {
  const url = parseUrl(link);
  if (!url) return reject("other-site");
  // Compares the whole host, because "instagram.com.evil.example" and "instagram.com@evil.example" are other sites.
  const { hostname, username, password, port } = url;
  const problem = problemsByHost.get(hostname.replace(/\.$/, ""));
  if (problem === undefined || username || password || port) return reject("other-site");
  if (problem) return reject(problem);
  const path = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(link)?.[1] ?? "";
  const name = /^\/*([^/]*)/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (name === "stories" || name === "s") return reject("story");
  if (name === "share") return reject("share");
  if (reservedSegments.test(name)) return reject("not-a-post");
  const [, type, text = ""] = /\/(p|tv|reels?)\/+([^/]+)/i.exec(path) ?? [];
  if (!type)
    return reject(/^(?:p|tv|reels?)$/.test(name) || !usernamePattern.test(name) ? "not-a-post" : "profile");
  if (name === "reels" && text === "audio") return reject("audio");
  const [postId] = leadingShortcode.exec(text) ?? [];
  if (postId === undefined) return reject("bad-code");
  return { ok: true, post: { postId, type: /^reel/i.test(type) ? "reel" : "post" } };
}
