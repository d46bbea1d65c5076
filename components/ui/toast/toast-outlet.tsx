"use client";

import { useEffect, useState, type ComponentType } from "react";
import { useCurrentToast } from "@/lib/client/toast-store";

/** Shows toasts. Each page that calls `toast()` renders one ToastOutlet. A page's first toast loads the Toaster. */
export function ToastOutlet() {
  const entry = useCurrentToast();
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

/** Shows the text of a toast in the page if toaster.tsx fails to load, for example after a new release. */
function PlainToast() {
  const entry = useCurrentToast();
  return (
    <p role="alert" className="mt-4 rounded border bg-card p-4 shadow empty:hidden">
      {entry && `${entry.title}: ${entry.description ?? ""}`}
    </p>
  );
}
