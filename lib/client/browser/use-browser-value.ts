import { useSyncExternalStore } from "react";

/** Returns a constant value of the browser. On the server and during hydration, returns `serverValue`. */
export function useBrowserValue<Value, ServerValue>(read: () => Value, serverValue: ServerValue) {
  return useSyncExternalStore<Value | ServerValue>(noSubscription, read, () => serverValue);
}

const noSubscription = () => () => {};
