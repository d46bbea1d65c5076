"use client";

import { useEffect, useRef, type ComponentProps } from "react";
import { XIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";

export interface DialogProps extends Omit<ComponentProps<"dialog">, "open" | "onClose"> {
  open: boolean;
  /** Called after the dialog has closed and the browser has restored the focus. */
  onClose: () => void;
}

/** Renders a native modal dialog, which traps the focus and closes on Escape. Set `aria-labelledby`. */
export function Dialog({ open, onClose, children, ...props }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);

  useEffect(() => {
    if (open) ref.current?.showModal();
    else ref.current?.close();
  }, [open]);

  return (
    // A click on the backdrop closes the dialog. For such a click, `target` is the dialog element itself, as after a
    // selection of text that ends outside.
    <dialog
      ref={ref}
      onClose={onClose}
      onPointerDown={({ target }) => (pressed.current = target)}
      onClick={({ target }) => target === ref.current && target === pressed.current && ref.current.close()}
      className={cn(
        "m-auto max-h-[calc(100dvh-1.5rem)] w-[calc(100%-24px)] max-w-md overflow-y-auto overscroll-contain",
        "rounded border bg-card text-foreground shadow open:animate-appear backdrop:bg-overlay backdrop:animate-appear",
      )}
      {...props}
    >
      <div className="relative flex flex-col gap-5 p-4 sm:p-6">
        {children}
        <button
          type="button"
          aria-label="Close"
          onClick={() => ref.current?.close()}
          className="absolute top-2 right-0 grid size-11 place-items-center rounded text-muted-foreground transition-colors hover:bg-muted hover:text-foreground"
        >
          <XIcon />
        </button>
      </div>
    </dialog>
  );
}
