import { limits } from "@/lib/config/limits";
import { findPage, normalizePath, pages } from "@/lib/http/routes";

/** What the guard asks of a started flow; the flow cookie's content has it all (lib/server/identity/flow-cookie.ts). */
export interface GuardedFlow {
  /** The post that was found public, or null. */
  post: { postId: string } | null;
  /** Visited guarded paths, oldest first. */
  visited: readonly string[];
  /** Of an order that the delivery provider accepted, or null. */
  receipt: object | null;
}

export type GuardDecision =
  | "allow"
  /** Show the start-over notice under the same address. */
  | "start-over"
  | "redirect-home"
  /** The address exists for us only. */
  | "not-found";

/**
 * Decides whether a page opens for a visitor: the flow guard, as a pure function.
 *
 * @param pathname of the request, with or without a trailing slash
 * @param flow the flow that the visitor's cookie proves, or null: it was started by passing the captcha for a link
 * @param from the `from` query parameter, which the preview page needs to be "url-entry"
 */
export function decideGuard(
  pathname: string,
  flow: GuardedFlow | null,
  from: string | null = null,
): GuardDecision {
  const guard = findPage(pathname)?.guard ?? "open";
  switch (guard) {
    case "open":
    case "self":
      return "allow";
    case "internal":
      return "not-found";
    case "link":
      return flow ? "allow" : "start-over";
    case "verified":
      return flow?.post && flow.visited.includes(pages.verification.path) ? "allow" : "start-over";
    case "accepted":
      return flow?.post && flow.receipt && flow.visited.includes(pages.getLikes.path)
        ? "allow"
        : "start-over";
    case "preview": {
      const requested = normalizePath(pathname).slice(`${pages.preview.path}/`.length);
      return requested === flow?.post?.postId && from === "url-entry" ? "allow" : "redirect-home";
    }
  }
}

/**
 * The visited sequence after opening a page: appended only if it differs from the last entry, any preview counted as
 * `/preview`, and only the newest entries kept, because the sequence lives in a cookie.
 */
export function appendVisited(visited: readonly string[], pathname: string): readonly string[] {
  const path = findPage(pathname)?.path ?? normalizePath(pathname);
  if (visited.at(-1) === path) return visited;
  return [...visited, path].slice(-limits.visitedSequenceLength);
}
