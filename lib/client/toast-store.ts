import { useSyncExternalStore } from "react";

interface Toast {
  id: number;
  title: string;
  description: string;
  variant: "destructive" | "success";
}

/** The page shows at most one toast. A new toast replaces the current toast. */
let current: Toast | null = null;
const listeners = new Set<() => void>();

/** Shows a toast for five seconds. */
export function toast(content: Omit<Toast, "id">): void {
  current = { ...content, id: (current?.id ?? 0) + 1 };
  listeners.forEach((listener) => listener());
}

/** Returns the last toast, even after it closed. Returns null if there is no toast. */
export function useCurrentToast(): Toast | null {
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
