import { useMemo } from "react";
import type { PostDetails } from "@/lib/http/api-responses";
import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";

/*
 * What one step keeps for the next within a tab: a cache, and the key of an attempt. A tab without them goes on as well:
 * who may do what, and for which post, is known by the server's sealed cookie.
 */

const prefix = "flow.";

/** `post`: what step 2 found, as JSON. `attempt`: the Idempotency-Key of the request for likes. */
export type FlowValue = "post" | "attempt";

export function writeFlowValue(name: FlowValue, value: string): void {
  try {
    sessionStorage.setItem(prefix + name, value);
  } catch {
    // Storage is blocked or full: the next step goes without.
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

/** What step 2 found in this tab, or null; undefined while the server's HTML is being taken over. */
export function useStoredPost(): PostDetails | null | undefined {
  const stored = useBrowserValue(() => readFlowValue("post"), undefined);
  return useMemo(() => (typeof stored === "string" ? (JSON.parse(stored) as PostDetails) : stored), [stored]);
}
