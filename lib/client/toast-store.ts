import { useSyncExternalStore } from "react";
import { timing } from "@/lib/config/limits";

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
const listeners = new Set<() => void>();

function set(next: ToastEntry) {
  current = next;
  listeners.forEach((listener) => listener());
}

/** Shows a toast for five seconds. Returns the id that `dismissToast` needs. */
export function toast(content: ToastContent): number {
  lastId += 1;
  set({ ...content, id: lastId, open: true, durationMs: timing.toastMs });
  return lastId;
}

/** Closes a toast if it is still open. The store keeps its text, which the close animation shows. */
export function dismissToast(id: number): void {
  if (current?.id === id) set({ ...current, open: false });
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
