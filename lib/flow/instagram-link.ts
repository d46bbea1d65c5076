import type { PostType } from "@/lib/http/api-responses";
import { fieldLimits } from "@/lib/config/limits";

export interface InstagramPost {
  postId: string;
  type: PostType;
}

/** What a refused text was, so that a hint can say what to do instead. */
export type LinkProblem =
  | "empty"
  | "no-link"
  | "too-long"
  | "other-site"
  | "profile"
  | "story"
  | "share"
  | "audio"
  | "bad-code"
  | "not-a-post";

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

/** A shortcode: up to 11 characters for public posts; old private posts carry a 28-character tail. */
const shortcode = /^[A-Za-z0-9_-]{1,11}(?:[A-Za-z0-9_-]{28})?$/;
const username = /^[A-Za-z0-9._]{1,30}$/;

/** Path words that name a post, and the kind they name. */
const postWords = new Map<string, PostType>([
  ["p", "post"],
  ["tv", "post"],
  ["reel", "reel"],
  ["reels", "reel"],
]);
/** First path words of Instagram that are no user names. */
const reservedWords = new Set([
  "accounts",
  "explore",
  "direct",
  "about",
  "legal",
  "developer",
  "web",
  "api",
  "emails",
]);

const notAUrl = "Must be a valid URL";
const notAPost = "Must be a valid Instagram post or reel URL";

const problems: Record<LinkProblem, { message: string; hint: string | null }> = {
  empty: { message: notAUrl, hint: null },
  "no-link": { message: notAUrl, hint: null },
  "too-long": { message: notAPost, hint: "That text is too long. Paste only the link of the post." },
  "other-site": {
    message: notAPost,
    hint: "That link leads to another site. Copy the link from the post on instagram.com.",
  },
  profile: {
    message: notAPost,
    hint: "That looks like a profile. Open one post or reel of it and copy its link.",
  },
  story: {
    message: notAPost,
    hint: "That looks like a story or highlight. Only posts and reels can get likes.",
  },
  share: {
    message: notAPost,
    hint: "That is a short share link. Open it, then copy the address of the post itself.",
  },
  audio: { message: notAPost, hint: "That is a page of a sound. Open one of its reels and copy its link." },
  "bad-code": {
    message: notAPost,
    hint: "The part after /p/ or /reel/ is not a post code. Copy the link again.",
  },
  "not-a-post": { message: notAPost, hint: "Copy the link of one post or reel; it contains /p/ or /reel/." },
};

/**
 * Finds the post that a pasted text names. Takes what people really paste: the bare link, share text around it, `m.`,
 * `http`, no scheme, `/reels/`, `/tv/`, `/{user}/p/{code}`, `/embed/`, query strings and fragments. Nothing of the
 * text is ever fetched: only the code is taken out, and the link is rebuilt from it.
 *
 * @returns the post's id and kind, or what was wrong with the specified message and a hint
 */
export function parseInstagramLink(text: string): LinkResult {
  const trimmed = text.trim();
  if (!trimmed) return refuse("empty");
  if (trimmed.length > fieldLimits.link) return refuse("too-long");
  const urls = findUrls(trimmed);
  if (urls.length === 0) return refuse("no-link");
  // Share text may hold several links; the first that names a post wins, else the first Instagram one explains best.
  const results = urls.map(readUrl);
  return (
    results.find((result) => result.ok) ??
    results.find((result) => !result.ok && result.problem !== "other-site") ??
    results[0] ??
    refuse("no-link")
  );
}

/** The canonical link of a post, as its kind writes it. */
export function canonicalLink({ postId, type }: InstagramPost): string {
  return `https://www.instagram.com/${type === "reel" ? "reel" : "p"}/${postId}/`;
}

/** The link used for the like request: always the /p/ form. */
export function likeLink(postId: string): string {
  return `https://www.instagram.com/p/${postId}/`;
}

/** True for a text that has the shape of a post's code. */
export function isPostId(text: string): boolean {
  return shortcode.test(text);
}

function refuse(problem: LinkProblem): LinkResult {
  return { ok: false, problem, ...problems[problem] };
}

/** The web addresses in a text, parsed; a word without a scheme counts when it starts with a host of Instagram. */
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

function readUrl(url: URL): LinkResult {
  // Compared exactly, after parsing: "instagram.com.evil.example" and "instagram.com@evil.example" are other sites.
  const host = url.hostname.replace(/\.$/, "");
  if (otherInstagramHosts.has(host)) return refuse("share");
  if (!instagramHosts.has(host) || url.username || url.password || url.port) return refuse("other-site");
  const segments = url.pathname.split("/").filter(Boolean);
  const [first = "", second] = segments;
  if (postWords.has(first)) return readPostPath(segments);
  if (first === "stories" || first === "s") return refuse("story");
  if (first === "share") return refuse("share");
  const behindUser = second !== undefined && postWords.has(second) && username.test(first);
  if (behindUser) return readPostPath(segments.slice(1));
  if (segments.length > 0 && !reservedWords.has(first) && username.test(first)) return refuse("profile");
  return refuse("not-a-post");
}

/** Reads `/{word}/{code}` with at most an `/embed[/captioned]` behind it. */
function readPostPath([word = "", code, ...rest]: string[]): LinkResult {
  if (word === "reels" && code === "audio") return refuse("audio");
  const type = postWords.get(word);
  if (type === undefined || code === undefined) return refuse("not-a-post");
  const tail = rest.join("/");
  if (!shortcode.test(code)) return refuse("bad-code");
  if (tail !== "" && tail !== "embed" && tail !== "embed/captioned") return refuse("not-a-post");
  return { ok: true, post: { postId: code, type } };
}
