import type { useStatus } from "@/lib/client/api/queries";

export type StepView =
  /** A request for the post details or the status is in flight. */
  | "loading"
  /** The visitor can continue. The view stays the same while the page sends the request for likes. */
  | "ready"
  /** The page has sent the request for likes, but the outcome is not known yet. */
  | "pending"
  /** The visitor has to wait until a cooldown or a request limit ends. */
  | "waiting"
  /** The request for the post details failed. */
  | "not-loaded"
  /** The post does not exist or is not public. */
  | "no-post"
  /** The status request failed. */
  | "status-unknown"
  /** The server rejected the request for likes, or no response arrived. */
  | "not-sent";

const failures: ReadonlySet<string> = new Set<StepView>([
  "not-loaded",
  "no-post",
  "status-unknown",
  "not-sent",
]);

/** Returns true if the view shows an error. The views "loading", "pending" and "waiting" are not errors. */
export function isFailedView(view: string): boolean {
  return failures.has(view);
}

/** Returns "ready" if the visitor can request likes now. Otherwise returns the view that says why not. */
export function viewOfStatus({ data, error, isValidating }: ReturnType<typeof useStatus>): StepView {
  if (data) return data.canRequest ? "ready" : "waiting";
  return error && !isValidating ? "status-unknown" : "loading";
}
