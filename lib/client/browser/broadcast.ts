const channelName = "orders";

/** Tells the other tabs of this site that a request was accepted, so that they ask for the status again. */
export function broadcastOrder(): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage("accepted");
  channel.close();
}

/** Calls back when another tab announces an accepted request. Returns the way to stop. */
export function onOrderBroadcast(callback: () => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = callback;
  return () => channel.close();
}
