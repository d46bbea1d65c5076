import type { PostDetails } from "@/lib/schemas/api-responses";
import { flowCookieName, sharedTextCookieName } from "@/lib/config/limits";
import { isPostDetails, type Check } from "@/lib/client/browser/shapes";
import { useBrowserValue } from "@/lib/client/browser/use-browser-value";
import { attempt, replaceEntry } from "./interfaces";

/*
 * What the browser stores while the visitor goes from the link form to the receipt (flow). The pages also work without
 * the values of a tab, because the server reads only the flow cookies.
 */

const prefix = "flow.";

/** `post`: post details from step 2, as JSON. `attempt`: Idempotency-Key of the request for likes. */
export type FlowStorageKey = "post" | "attempt";

/** Stores a flow value for this tab. Does nothing when storage is blocked. */
export function writeFlowValue(name: FlowStorageKey, value: string): void {
  attempt(() => sessionStorage.setItem(prefix + name, value));
}

/** Returns a flow value of this tab. Returns null if no value is stored. */
export function readFlowValue(name: FlowStorageKey): string | null {
  return attempt(() => sessionStorage.getItem(prefix + name)) ?? null;
}

/** Returns the names of the flow values of this tab. Returns null when storage is blocked. */
function findFlowValues(): string[] | null {
  return attempt(() => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))) ?? null;
}

/** Removes all flow values of this tab. */
export function clearFlowValues(): void {
  for (const key of findFlowValues() ?? []) sessionStorage.removeItem(key);
}

/** Returns the post details from step 2. Returns null if none are stored, and undefined during hydration. */
export function useStoredPost(): PostDetails | null | undefined {
  const stored = useBrowserValue(() => readFlowValue("post") ?? "", undefined);
  return stored === undefined ? undefined : parseStored<PostDetails>(stored, isPostDetails);
}

/** Parses a stored object. Returns null if the text is damaged, or if the object does not pass the check. */
export function parseStored<T>(text: string, accepts: Check): T | null {
  const value = attempt(() => JSON.parse(text) as unknown);
  return accepts(value) ? (value as T) : null;
}

const flowCookiePattern = new RegExp(`(?:__Host-)?${flowCookieName}-\\d{13}(?==)`, "g");

/** Returns the names of the first cookies of all flows. Scripts cannot read the other cookies of a flow. */
export function findFlows(): string[] {
  return attempt(() => document.cookie.match(flowCookiePattern)) ?? [];
}

/**
 * Ends the flows of these cookies, if a flow runs or ran in this tab. When storage is blocked, that is unknown, and the
 * function ends them.
 */
export function endFlows(names: readonly string[]): void {
  if (findFlowValues()?.length === 0) return;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  for (const name of names) document.cookie = `${name}=; Path=/; Max-Age=0${secure}`;
  clearFlowValues();
  broadcastFlowChange();
}

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

const parameterNames = ["link", "url", "text", "title"];

/**
 * Returns the text for the link field from the shared-text cookie or from the page URL, and removes the text
 * there. Returns null if there is no text. Returns "" if the cookie is empty or unreadable.
 */
export function takeIncomingText(): string | null {
  return takeSharedText() ?? takeQueryText();
}

function takeSharedText(): string | null {
  const start = `${sharedTextCookieName}=`;
  const cookie = attempt(() => document.cookie.split("; ").find((each) => each.startsWith(start)));
  if (cookie === undefined) return null;
  document.cookie = `${start}; Max-Age=0; Path=/`;
  return attempt(() => decodeURIComponent(cookie.slice(start.length))) ?? "";
}

function takeQueryText(): string | null {
  const address = new URL(window.location.href);
  const texts = parameterNames.map((name) => address.searchParams.get(name)).filter(Boolean);
  if (texts.length === 0) return null;
  parameterNames.forEach((name) => address.searchParams.delete(name));
  replaceEntry(address);
  return texts.join(" ");
}
