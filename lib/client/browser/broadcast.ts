import { attempt } from "./interfaces";

let channel: BroadcastChannel | undefined;

/** Returns the channel between the tabs of this site. Returns undefined without BroadcastChannel or without cookies. */
function getChannel(): BroadcastChannel | undefined {
  // A page has only one channel object, because a second object would receive the page's own messages.
  return (channel ??= attempt(() => new BroadcastChannel("flow")));
}

/** Tells the other tabs that an order was accepted, or that the flow has ended. */
export function broadcastFlowChange(): void {
  getChannel()?.postMessage("changed");
}

/** Runs the callback when another tab calls `broadcastFlowChange`. Returns the unsubscribe function. */
export function onFlowChange(callback: () => void): () => void {
  const subscription = new AbortController();
  getChannel()?.addEventListener("message", callback, { signal: subscription.signal });
  return () => subscription.abort();
}
