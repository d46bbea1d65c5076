"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

interface VerificationDialogProps {
  open: boolean;
  /** Closed, by whichever way: reset the widget, and move the focus there. */
  onClose: () => void;
}

/** Opens when a form is sent without a completed check, or when the server rejected it. */
export function VerificationDialog({ open, onClose }: VerificationDialogProps) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
      <div className="flex flex-col gap-2 pr-10">
        <h2 id={`${id}-title`} className="text-xl">
          Verification Required
        </h2>
        <p id={`${id}-text`} className="text-muted-foreground">
          Please complete the verification to continue: tick the box above the button and wait until it says
          that you are verified.
        </p>
      </div>
      <Button autoFocus onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}>
        I&apos;ll Complete the Verification
      </Button>
    </Dialog>
  );
}
