const channelName = "orders";

/** Tells the other tabs that an order was accepted. The other tabs then request the status again. */
export function broadcastOrder(): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage("accepted");
  channel.close();
}

/** Runs the callback when another tab broadcasts an accepted order. Returns the unsubscribe function. */
export function onOrderBroadcast(callback: () => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = callback;
  return () => channel.close();
}
