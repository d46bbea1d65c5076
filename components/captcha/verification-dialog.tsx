"use client";

import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";

export interface VerificationDialogProps {
  open: boolean;
  /** Closed, by whichever way: reset the widget. */
  onClose: () => void;
  /** The dialog has let go of the focus: move it to the widget. */
  onClosed: () => void;
}

/** Opens when a form is sent without a completed check, or when the server rejected it. */
export function VerificationDialog({ open, onClose, onClosed }: VerificationDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          onClosed();
        }}
      >
        <DialogHeader>
          <DialogTitle>Verification Required</DialogTitle>
          <DialogDescription>
            Please complete the verification to continue: tick the box above the button and wait until it says
            that you are verified.
          </DialogDescription>
        </DialogHeader>
        <DialogFooter>
          <DialogClose asChild>
            <Button>I&apos;ll Complete the Verification</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
