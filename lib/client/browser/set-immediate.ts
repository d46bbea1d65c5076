const channel = new MessageChannel();
let work: (() => void) | undefined;

/**
 * Replaces the MessageChannel of React's scheduler (scripts/build-browser-scripts.mjs). Firefox loses a message that a page
 * sends while it enters the back/forward cache, and the scheduler would wait for it. The callback may run more than once.
 */
export function setImmediate(callback: () => void): void {
  work = callback;
  channel.port2.postMessage(null);
}

channel.port1.onmessage = () => work?.();
addEventListener("pageshow", () => work?.());
