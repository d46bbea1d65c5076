import { useSyncExternalStore } from "react";

/** Returns a constant value of the browser, or `serverValue` in the server's HTML and during hydration. */
export function useBrowserValue<Value, ServerValue>(
  read: () => Value,
  serverValue: ServerValue,
): Value | ServerValue {
  return useSyncExternalStore<Value | ServerValue>(noSubscription, read, () => serverValue);
}

const noSubscription = () => () => {};
