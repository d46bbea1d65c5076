import { timing } from "@/lib/config/limits";

/** How long a dismissed toast may stay in the store: its leaving animation plays while it is still there. */
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

/* One toast at a time, so the store is one place: a newer toast replaces the older one. */
let current: ToastEntry | null = null;
let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: ToastEntry | null) {
  clearTimeout(removal);
  current = next;
  listeners.forEach((listener) => listener());
}

/** Shows a toast for five seconds. Returns its id, for `dismissToast`. */
export function toast(content: ToastContent): number {
  lastId += 1;
  set({ ...content, id: lastId, open: true, durationMs: timing.toastMs });
  return lastId;
}

/** Closes the toast, if it is still the one on screen. */
export function dismissToast(id: number): void {
  if (current?.id !== id || !current.open) return;
  set({ ...current, open: false });
  removal = setTimeout(() => set(null), removalDelayMs);
}

/** For `useSyncExternalStore`. */
export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  read: (): ToastEntry | null => current,
  readOnServer: (): ToastEntry | null => null,
};
