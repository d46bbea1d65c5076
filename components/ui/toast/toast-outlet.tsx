"use client";

import { useEffect, useState, type ComponentType } from "react";
import { useCurrentToast } from "@/lib/client/toast-store";

/** Shows toasts. Each page that calls `toast()` renders one ToastOutlet. A page's first toast loads the Toaster, or after an error a later toast. */
export function ToastOutlet() {
  const entry = useCurrentToast();
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  const id = entry?.id;

  useEffect(() => {
    if (id === undefined) return;
    // Pages also show the message in another place, so an error of the import needs no message of its own.
    import("@/components/ui/toast/toaster")
      .then((module) => setToaster(() => module.Toaster))
      .catch(() => {});
  }, [id]);

  return Toaster && <Toaster />;
}
