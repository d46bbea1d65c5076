import { useSyncExternalStore } from "react";

/**
 * Returns a browser value that does not change while the page is open. On the server and during hydration,
 * returns `serverValue`.
 */
export function useBrowserValue<Value, ServerValue>(
  read: () => Value,
  serverValue: ServerValue,
): Value | ServerValue {
  return useSyncExternalStore<Value | ServerValue>(noSubscription, read, () => serverValue);
}

const noSubscription = () => () => {};
