"use client";

import { useEffect, useRef, type ComponentProps } from "react";
import { CloseIcon } from "@/components/ui/icons";
import { cn } from "@/lib/client/cn";

export interface DialogProps extends Omit<ComponentProps<"dialog">, "open" | "onClose"> {
  open: boolean;
  /** Called after any way of closing, when the browser has given the focus back. */
  onClose: () => void;
}

/** The native modal dialog, which holds the focus and closes on Escape. Name it with `aria-labelledby`. */
export function Dialog({ open, onClose, className, children, ...props }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (open) ref.current?.showModal();
    else ref.current?.close();
  }, [open]);

  return (
    // A press on the backdrop has the dialog itself as its target; the keyboard's way out is Escape.
    <dialog
      ref={ref}
      onClose={onClose}
      onClick={({ target }) => target === ref.current && ref.current.close()}
      className={cn(
        "m-auto max-h-[calc(100dvh-1.5rem)] w-[calc(100%-1.5rem)] max-w-md overflow-y-auto overscroll-contain",
        "rounded border bg-card text-card-foreground shadow open:animate-appear backdrop:bg-overlay backdrop:animate-appear",
        className,
      )}
      {...props}
    >
      <div className="relative flex flex-col gap-5 p-5 sm:p-6">
        {children}
        <button
          type="button"
          aria-label="Close"
          onClick={() => ref.current?.close()}
          className="absolute top-2 right-2 grid size-11 place-items-center rounded text-muted-foreground transition-colors hover:bg-muted hover:text-foreground"
        >
          <CloseIcon />
        </button>
      </div>
    </dialog>
  );
}
