import { Button } from "@/components/ui/button";
import { Dialog, type DialogProps } from "@/components/ui/dialog";
import { CircleAlertIcon, InfoIcon } from "lucide-react";

/** "missing": the visitor has not solved the captcha. "rejected": the server rejected the captcha token. */
export type DialogReason = "missing" | "rejected";

const texts: Record<DialogReason, { problem: string; advice: string }> = {
  missing: {
    problem: "The check is not done yet.",
    advice:
      "Please complete the verification to continue: tick the box above the button and wait until it says that you " +
      "are verified.",
  },
  rejected: {
    problem: "Your check was not accepted.",
    advice:
      "It may have been too old. Nothing was sent, and what you typed is still there: tick the box above the button " +
      "once more, then send again.",
  },
};

interface VerificationDialogProps extends Pick<DialogProps, "open" | "onClose"> {
  reason: DialogReason;
}

/** Explains why the form was not sent, and what the visitor should do. */
export function VerificationDialog({ reason, open, onClose }: VerificationDialogProps) {
  const { problem, advice } = texts[reason];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      aria-labelledby="verification-title"
      aria-describedby="verification-text"
    >
      <div className="flex flex-col gap-2">
        <h2 id="verification-title" className="pr-4 text-xl">
          Verification Required
        </h2>
        <div id="verification-text" className="flex flex-col gap-1.5">
          <p className="flex gap-2 font-medium">
            {reason === "rejected" ? (
              <CircleAlertIcon className="mt-0.5 text-destructive" />
            ) : (
              <InfoIcon className="mt-0.5 text-muted-foreground" />
            )}
            <span>{problem}</span>
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
