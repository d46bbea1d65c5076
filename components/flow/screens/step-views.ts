export type StepView =
  /** A request for the post details or the status is in flight. */
  | "loading"
  /** The visitor can continue, or the chosen action is running. */
  | "ready"
  /** The like request was sent; its outcome is unknown. */
  | "pending"
  /** The visitor has to wait for the end of a cooldown or a cap. */
  | "waiting"
  /** The request for the post details failed. */
  | "not-loaded"
  /** The post does not exist or is not public. */
  | "no-post"
  /** The status request failed. */
  | "status-unknown"
  /** The server rejected the like request, or the response was lost. */
  | "not-sent";

const failures: ReadonlySet<StepView> = new Set(["not-loaded", "no-post", "status-unknown", "not-sent"]);

/** Returns whether the view shows an error. Retrying or waiting is not a failure. */
export function isFailedView(view: StepView): boolean {
  return failures.has(view);
}
