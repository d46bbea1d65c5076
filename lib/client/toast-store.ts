import { useSyncExternalStore } from "react";
import { timing } from "@/lib/config/limits";

/** Time until a closed toast is removed from memory. The close animation still shows the text. */
const removalDelayMs = 1_000_000;

export interface ToastContent {
  title: string;
  description?: string;
  variant?: "default" | "destructive" | "success";
}

export interface ToastEntry extends ToastContent {
  id: number;
  open: boolean;
  durationMs: number;
}

/** The page shows at most one toast. A new toast replaces the current toast. */
let current: ToastEntry | null = null;
let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: ToastEntry | null) {
  clearTimeout(removal);
  current = next;
  listeners.forEach((listener) => listener());
}

/** Shows a toast for five seconds. Returns the id that `dismissToast` needs. */
export function toast(content: ToastContent): number {
  lastId += 1;
  set({ ...content, id: lastId, open: true, durationMs: timing.toastMs });
  return lastId;
}

/** Closes a toast if it is still open. */
export function dismissToast(id: number): void {
  if (current?.id !== id || !current.open) return;
  set({ ...current, open: false });
  removal = setTimeout(() => set(null), removalDelayMs);
}

/** Returns the last toast, even after it closed. Returns null if there is no toast. */
export function useCurrentToast(): ToastEntry | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
