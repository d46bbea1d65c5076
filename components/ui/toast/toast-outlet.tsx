"use client";

import { useEffect, useState, useSyncExternalStore, type ComponentType } from "react";
import { toastStore } from "@/lib/client/toast";

/** The place of toasts. A page that calls `toast()` renders one of these; the code of toasts loads with the first. */
export function ToastOutlet() {
  const entry = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.readOnServer);
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  const needed = entry !== null;

  useEffect(() => {
    if (!needed) return;
    import("@/components/ui/toast/toaster").then(
      (module) => setToaster(() => module.Toaster),
      () => setToaster(() => PlainToast),
    );
  }, [needed]);

  return Toaster && <Toaster />;
}

/** The words alone, where that code cannot be loaded, say after a new release: in the page, where they cover nothing. */
function PlainToast() {
  const entry = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.readOnServer);
  return (
    <p role="alert" className="mt-4 rounded border bg-card p-4 shadow empty:hidden">
      {entry && `${entry.title}: ${entry.description ?? ""}`}
    </p>
  );
}
