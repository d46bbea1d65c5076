import { useSyncExternalStore } from "react";

export interface ToastContent {
  title: string;
  description: string;
  variant: "destructive" | "success";
}

export interface ToastEntry extends ToastContent {
  id: number;
}

/** The page shows at most one toast. A new toast replaces the current toast. */
let current: ToastEntry | null = null;
const listeners = new Set<() => void>();

/** Shows a toast for five seconds. */
export function toast(content: ToastContent): void {
  current = { ...content, id: (current?.id ?? 0) + 1 };
  listeners.forEach((listener) => listener());
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
