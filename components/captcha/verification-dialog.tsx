"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { CircleAlertIcon, InfoIcon } from "@/components/ui/icons";

/** Why a form asks for the human check: it was sent without one, or the server did not accept it. */
export type DialogReason = "missing" | "rejected";

const words: Record<DialogReason, { what: string; advice: string }> = {
  missing: {
    what: "The check is not done yet.",
    advice:
      "Please complete the verification to continue: tick the box above the button and wait until it says that you " +
      "are verified.",
  },
  rejected: {
    what: "Your check was not accepted.",
    advice:
      "It may have been too old. Nothing was sent, and what you typed is still there: tick the box above the button " +
      "once more, then send again.",
  },
};

interface VerificationDialogProps {
  /** Null while it is closed. */
  why: DialogReason | null;
  /** Closed, by whichever way: reset the widget, and move the focus there. */
  onClose: () => void;
}

/** Opens when a form is sent without a completed check, or when the server rejected it, and says which. */
export function VerificationDialog({ why, onClose }: VerificationDialogProps) {
  const id = useId();
  const { what, advice } = words[why ?? "missing"];
  return (
    <Dialog
      open={why !== null}
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <div className="flex flex-col gap-2">
        <h2 id={`${id}-title`} className="pr-10 text-xl">
          Verification Required
        </h2>
        <div id={`${id}-text`} className="flex flex-col gap-1.5">
          <p className="flex gap-2 font-medium">
            {why === "rejected" ? (
              <CircleAlertIcon className="mt-0.5 text-destructive" />
            ) : (
              <InfoIcon className="mt-0.5 text-muted-foreground" />
            )}
            {what}
          </p>
          <p className="text-muted-foreground">{advice}</p>
        </div>
      </div>
      <Button autoFocus onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}>
        I&apos;ll Complete the Verification
      </Button>
    </Dialog>
  );
}
