import { useSyncExternalStore } from "react";
import type { DailyLimit, LikeReply } from "@/lib/schemas/api-responses";
import { count, date, isDailyLimit, object, orNull } from "@/lib/client/browser/shapes";
import { serverNow } from "@/lib/client/browser/server-clock";
import { parseStored } from "./flow";
import { attempt } from "./interfaces";

/** Record of this browser's last accepted order in local storage. */
export interface LastOrder {
  /** Time of the next possible request for likes (ISO date-time, server's clock). */
  nextAvailable: string;
  /** Today's usage with this order. Null if the server did not send it. */
  dailyLimit: DailyLimit | null;
  /** Time when the browser stored this object, in milliseconds since 1970 (server's clock). */
  storedAt: number;
}

const isLastOrder = object<LastOrder>({
  nextAvailable: date,
  dailyLimit: orNull(isDailyLimit),
  storedAt: count,
});

const key = "last-order";

/** Stores the time of the next possible request, and today's usage. Does nothing when storage is blocked. */
export function rememberOrder({ order: { nextAvailable }, dailyLimit }: LikeReply): void {
  const stored: LastOrder = { nextAvailable, dailyLimit: dailyLimit ?? null, storedAt: serverNow() };
  changeStorage((storage) => storage.setItem(key, JSON.stringify(stored)));
}

/** Removes the stored order, because the visitor can request likes again. */
export function forgetOrder(): void {
  changeStorage((storage) => storage.removeItem(key));
}

/** Returns the last accepted order of this browser. Returns null if none is stored. */
export function readLastOrder(): LastOrder | null {
  return parseStored<LastOrder>(readStored(), isLastOrder);
}

/** Returns the last accepted order during its cooldown. Returns null after the cooldown or in hydration. */
export function useLastOrder(): LastOrder | null {
  const stored = useSyncExternalStore(subscribe, readStored, () => "");
  const order = parseStored<LastOrder>(stored, isLastOrder);
  return order && Date.parse(order.nextAvailable) > serverNow() ? order : null;
}

function changeStorage(change: (storage: Storage) => void): void {
  // If storage is blocked, step 2 still tells the visitor about the cooldown.
  attempt(() => change(localStorage));
  // Browsers send storage events only to other tabs, so this code sends one in this tab.
  window.dispatchEvent(new StorageEvent("storage", { key }));
}

function readStored(): string {
  return attempt(() => localStorage.getItem(key)) ?? "";
}

/** Calls `onChange` when a tab changes the order, and when the browser restores the page (Back button). */
function subscribe(onChange: () => void): () => void {
  const subscription = new AbortController();
  for (const event of ["storage", "pageshow"])
    window.addEventListener(event, onChange, { signal: subscription.signal });
  return () => subscription.abort();
}
