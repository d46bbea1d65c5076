"use client";

import { useRef } from "react";
import { CircleAlertIcon, CircleCheckIcon } from "@/components/ui/icons";
import {
  Toast,
  ToastClose,
  ToastDescription,
  ToastProvider,
  ToastTitle,
  ToastViewport,
} from "@/components/ui/toast/toast";
import { useToastPosition } from "@/components/ui/toast/use-toast-position";
import { dismissToast, useCurrentToast } from "@/lib/client/toast-store";

/** Shows the current toast. ToastOutlet loads this module when the first toast appears. */
export function Toaster() {
  const entry = useCurrentToast();
  const viewport = useRef<HTMLOListElement>(null);
  const bottom = useToastPosition(viewport, entry?.open === true);
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
      <ToastViewport ref={viewport} hotkey={["F8"]} style={{ bottom }} />
    </ToastProvider>
  );
}
