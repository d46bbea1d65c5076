import { findPage, normalizePath, pages } from "@/lib/http/pages";

/** The part of the flow that `decideGuard` reads. Full type: lib/server/cookies/flow-cookie.ts. */
export interface GuardedFlow {
  post: { postId: string } | null;
  /** Paths of the guarded pages that the visitor has opened. */
  visited: readonly string[];
  receipt: object | null;
}

export type GuardDecision =
  | "allow"
  /** The server shows the start-over notice at the requested URL. */
  | "start-over"
  /** The order is accepted. The server redirects to the page that shows the receipt. */
  | "receipt"
  | "redirect-home"
  | "not-found";

/** Decides whether a visitor may open a page. `flow` is null if the visitor has no valid flow cookies. */
export function decideGuard(
  pathname: string,
  flow: GuardedFlow | null,
  from: string | null = null,
): GuardDecision {
  const guard = findPage(pathname)?.guard ?? "open";
  switch (guard) {
    case "open":
      return "allow";
    case "internal":
      return "not-found";
    case "link":
      if (flow?.receipt && flow.post) return "receipt";
      return flow ? "allow" : "start-over";
    case "post":
      if (flow?.receipt && flow.post) return "receipt";
      return flow?.post && flow.visited.includes(pages.verification.path) ? "allow" : "start-over";
    case "accepted":
      return flow?.post && flow.receipt && flow.visited.includes(pages.getLikes.path)
        ? "allow"
        : "start-over";
    case "preview": {
      const requested = normalizePath(pathname).slice(`${pages.preview.path}/`.length);
      // If the URL has no post id, the page shows an error.
      if (!requested) return flow ? "allow" : "redirect-home";
      return requested === flow?.post?.postId && from === "url-entry" ? "allow" : "redirect-home";
    }
  }
}
