"use client";

import * as Toast from "@radix-ui/react-toast";
import { CircleAlertIcon, CircleCheckIcon, XIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";
import { useCurrentToast } from "@/lib/client/toast-store";
import { timing } from "@/lib/config/limits";

/**
 * Shows the current toast below the header on phones, and in the upper right corner on wider screens. There it covers
 * no submit button, and no message beside one.
 * ToastOutlet loads this module when the first toast appears. Large text stands below the icon.
 */
export function Toaster() {
  const entry = useCurrentToast();
  return (
    <Toast.Provider swipeDirection="right" swipeThreshold={50}>
      {entry && (
        <Toast.Root
          key={entry.id}
          className={cn(
            "relative flex flex-wrap gap-x-3 rounded border bg-card px-4 py-3 shadow",
            "data-[state=closed]:animate-vanish data-[state=open]:animate-appear",
            "data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)]",
            "data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
            "data-[swipe=end]:animate-swipe-out",
            entry.variant === "success" ? "border-success/50" : "border-destructive/40",
          )}
          duration={timing.toastMs}
        >
          {entry.variant === "destructive" && <CircleAlertIcon className="mt-0.5 text-destructive" />}
          {entry.variant === "success" && <CircleCheckIcon className="mt-0.5 text-success" />}
          <div className="min-w-0 flex-1 basis-40">
            <Toast.Title className="pr-4 font-semibold">{entry.title}</Toast.Title>
            <Toast.Description className="text-sm text-muted-foreground">
              {entry.description}
            </Toast.Description>
          </div>
          <Toast.Close
            aria-label="Close"
            className="absolute top-0 right-0 grid size-11 place-items-center rounded text-muted-foreground transition-colors hover:bg-muted hover:text-foreground"
          >
            <XIcon />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport
        className="fixed top-14 right-0 z-50 flex w-full flex-col p-3 outline-offset-0 sm:max-w-md sm:p-6"
        hotkey={["F8"]}
      />
    </Toast.Provider>
  );
}
