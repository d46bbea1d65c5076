/** What a step of the flow can show; each screen chooses from these. */
export type StepView =
  /** Something is being asked for. */
  | "loading"
  /** The visitor can go on, or what was pressed is under way. */
  | "ready"
  /** It was sent, and nobody knows yet how it ended. */
  | "pending"
  /** The visitor has to wait: a cooldown, a cap, the day's likes. */
  | "waiting"
  /** The post could not be asked for. */
  | "not-loaded"
  /** There is no such post for everybody to see. */
  | "no-post"
  /** Whether the visitor can request likes could not be asked for. */
  | "status-unknown"
  /** The request was refused, or its answer was lost. */
  | "not-sent";

const failures: ReadonlySet<StepView> = new Set(["not-loaded", "no-post", "status-unknown", "not-sent"]);

/**
 * Whether a step is shown as failed. The one rule: it is while the last thing that it did for the visitor has ended in an
 * error, which the screen names. It is not while it tries again, and never because somebody has to wait. Step 1 does
 * nothing but take a form, whose errors stand at its fields and its button.
 */
export function isFailed(view: StepView): boolean {
  return failures.has(view);
}
