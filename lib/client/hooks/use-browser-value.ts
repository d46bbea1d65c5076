import { useSyncExternalStore } from "react";

/**
 * A value that only the browser knows and that stays while the page is open.
 *
 * @param read gives the same value each time
 * @param before what stands for it in the server's HTML and while that is being taken over
 */
export function useBrowserValue<Value, Before>(read: () => Value, before: Before): Value | Before {
  return useSyncExternalStore<Value | Before>(subscribeToNothing, read, () => before);
}

function subscribeToNothing(): () => void {
  return () => {};
}
