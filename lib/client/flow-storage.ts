import { useSyncExternalStore } from "react";

/*
 * What one step hands to the next within a tab, for display and for the calls only: who may do what is decided by
 * the server's sealed cookie.
 */

const prefix = "flow.";

/** `link`: the canonical link of step 1. `postId`: the post that was found public. */
export type FlowValue = "link" | "postId";

export function writeFlowValue(name: FlowValue, value: string): void {
  try {
    sessionStorage.setItem(prefix + name, value);
  } catch {
    // Storage is blocked: the next step says that it misses the value.
  }
}

export function readFlowValue(name: FlowValue): string | null {
  try {
    return sessionStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/** Forgets everything the steps have stored in this tab. */
export function clearFlowValues(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing could be stored either.
  }
}

/** A stored value; undefined while the server's HTML is being taken over, null when there is none. */
export function useFlowValue(name: FlowValue): string | null | undefined {
  return useSyncExternalStore(
    subscribeToNothing,
    () => readFlowValue(name),
    () => undefined,
  );
}

function subscribeToNothing(): () => void {
  return () => {};
}
