import { limits } from "./limits";
import { findPage, normalizePath, pages } from "./routes";

/** What the flow cookie says about a visitor, as far as the guard needs it. */
export interface FlowMarkers {
  /** The proper-flow flag: the captcha was passed within the flow's life. */
  started: boolean;
  /** The post link of step 1 is stored. */
  hasLink: boolean;
  /** Id of the post that was found public, or null. */
  postId: string | null;
  /** Visited guarded paths, oldest first. */
  visited: readonly string[];
  /** The session holds an order that the delivery provider accepted. */
  hasAcceptedOrder: boolean;
}

export const noFlow: FlowMarkers = {
  started: false,
  hasLink: false,
  postId: null,
  visited: [],
  hasAcceptedOrder: false,
};

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
 * @param markers what the flow cookie holds
 * @param from the `from` query parameter, which the preview page needs to be "url-entry"
 */
export function decideGuard(
  pathname: string,
  markers: FlowMarkers,
  from: string | null = null,
): GuardDecision {
  const guard = findPage(pathname)?.guard ?? "open";
  const { started, hasLink, postId, visited, hasAcceptedOrder } = markers;
  switch (guard) {
    case "open":
    case "self":
      return "allow";
    case "internal":
      return "not-found";
    case "link":
      return started && hasLink ? "allow" : "start-over";
    case "verified":
      return started && postId !== null && visited.includes(pages.verification.path) ? "allow" : "start-over";
    case "accepted":
      return started && postId !== null && visited.includes(pages.getLikes.path) && hasAcceptedOrder
        ? "allow"
        : "start-over";
    case "preview": {
      const requested = normalizePath(pathname).slice(`${pages.preview.path}/`.length);
      return started && postId !== null && requested === postId && from === "url-entry"
        ? "allow"
        : "redirect-home";
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
