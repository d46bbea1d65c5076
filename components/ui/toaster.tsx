"use client";

import { useSyncExternalStore } from "react";
import { CircleAlertIcon, CircleCheckIcon } from "@/components/ui/icons";
import {
  Toast,
  ToastClose,
  ToastDescription,
  ToastProvider,
  ToastTitle,
  ToastViewport,
} from "@/components/ui/toast";
import { dismissToast, toastStore } from "@/lib/client/toast";

/** Shows what `toast()` was given; toast-outlet.tsx loads it. */
export function Toaster() {
  const entry = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.readOnServer);
  return (
    <ToastProvider swipeDirection="right" swipeThreshold={50}>
      {entry && (
        <Toast
          key={entry.id}
          variant={entry.variant}
          duration={entry.durationMs}
          open={entry.open}
          onOpenChange={(open) => {
            if (!open) dismissToast(entry.id);
          }}
        >
          {entry.variant === "destructive" && <CircleAlertIcon className="mt-0.5 text-destructive" />}
          {entry.variant === "success" && <CircleCheckIcon className="mt-0.5 text-success" />}
          <div className="min-w-0 flex-1">
            <ToastTitle>{entry.title}</ToastTitle>
            {entry.description && <ToastDescription>{entry.description}</ToastDescription>}
          </div>
          <ToastClose />
        </Toast>
      )}
      <ToastViewport hotkey={["F8"]} />
    </ToastProvider>
  );
}
