import { useMemo } from "react";
import type { PostDetails } from "@/lib/schemas/api-responses";
import { isPostDetails, type Check } from "./shapes";
import { attempt } from "./interfaces";
import { useBrowserValue } from "./use-browser-value";

/*
 * Values that a tab stores while the visitor goes from the link form to the receipt (flow). The pages also
 * work without these values, because the server reads only the flow cookies.
 */

const prefix = "flow.";

/** `post`: post details from step 2, as JSON. `attempt`: Idempotency-Key of the request for likes. */
export type FlowStorageKey = "post" | "attempt";

/** Stores a flow value for this tab. Does nothing when storage is blocked. */
export function writeFlowValue(name: FlowStorageKey, value: string): void {
  attempt(() => sessionStorage.setItem(prefix + name, value));
}

/** Returns a flow value of this tab. Returns null if no value is stored. */
export function readFlowValue(name: FlowStorageKey): string | null {
  return attempt(() => sessionStorage.getItem(prefix + name)) ?? null;
}

/** Returns the names of the flow values of this tab. Returns null when storage is blocked. */
function findFlowValues(): string[] | null {
  return attempt(() => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))) ?? null;
}

/** Returns whether a flow runs or ran in this tab. Returns true when storage is blocked, because that is unknown. */
export function isFlowTab(): boolean {
  return findFlowValues()?.length !== 0;
}

/** Removes all flow values of this tab. */
export function clearFlowValues(): void {
  for (const key of findFlowValues() ?? []) sessionStorage.removeItem(key);
}

/** Returns the post details from step 2. Returns null if none are stored, and undefined during hydration. */
export function useStoredPost(): PostDetails | null | undefined {
  const stored = useBrowserValue(() => readFlowValue("post") ?? "", undefined);
  return useMemo(
    () => (stored === undefined ? undefined : parseStored<PostDetails>(stored, isPostDetails)),
    [stored],
  );
}

/** Parses a stored object. Returns null if the text is damaged, or if the object does not pass the check. */
export function parseStored<T>(text: string, accepts: Check): T | null {
  const value = attempt(() => JSON.parse(text) as unknown);
  return accepts(value) ? (value as T) : null;
}
