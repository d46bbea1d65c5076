import { useEffect, useRef, type ReactNode } from "react";
import { CircleAlertIcon, InfoIcon, XIcon } from "lucide-react";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/client/cn";

/** "missing": the visitor has not solved the captcha. "rejected": the server rejected the captcha token. */
export type DialogReason = "missing" | "rejected";

const texts: Record<DialogReason, { icon: ReactNode; problem: string; advice: string }> = {
  missing: {
    icon: <InfoIcon className="mt-0.5 text-muted-foreground" />,
    problem: "The check is not done yet.",
    advice:
      "Please complete the verification to continue: tick the box above the button and wait until it says that you " +
      "are verified.",
  },
  rejected: {
    icon: <CircleAlertIcon className="mt-0.5 text-destructive" />,
    problem: "Your check was not accepted.",
    advice:
      "It may have been too old. Nothing was sent, and what you typed is still there: tick the box above the button " +
      "once more, then send again.",
  },
};

interface VerificationDialogProps {
  reason: DialogReason;
  open: boolean;
  /** Called after the dialog has closed and the browser has restored the focus. */
  onClose: () => void;
}

/** Explains why the form was not sent. The native modal dialog traps the focus and closes on Escape. */
export function VerificationDialog({ reason, open, onClose }: VerificationDialogProps) {
  const { problem, advice, icon } = texts[reason];
  const dialog = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  const close = () => dialog.current?.close();

  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  return (
    // A click on the backdrop closes the dialog. For such a click, `target` is the dialog element itself, as after a
    // selection of text that ends outside.
    <dialog
      ref={dialog}
      onClose={onClose}
      onPointerDown={({ target }) => (pressed.current = target)}
      onClick={({ target }) => target === dialog.current && target === pressed.current && close()}
      aria-labelledby="verification-title"
      aria-describedby="verification-text"
      className={cn(
        "m-auto max-h-[calc(100dvh-1.5rem)] w-[calc(100%-24px)] max-w-md overflow-y-auto overscroll-contain",
        "rounded border bg-card text-card-foreground shadow open:animate-appear backdrop:bg-overlay backdrop:animate-appear",
      )}
    >
      <div className="relative flex flex-col gap-5 p-4 sm:p-6">
        <div className="flex flex-col gap-2">
          <h2 id="verification-title" className="pr-4 text-h3">
            Verification Required
          </h2>
          <div id="verification-text" className="flex flex-col gap-1.5">
            <p className="flex gap-2 font-medium">
              {icon}
              <span>{problem}</span>
            </p>
            <p className="text-muted-foreground">{advice}</p>
          </div>
        </div>
        <Button autoFocus onClick={close}>
          I&apos;ll Complete the Verification
        </Button>
        <button
          type="button"
          aria-label="Close"
          onClick={close}
          className="absolute top-2 right-0 grid size-11 place-items-center rounded text-muted-foreground transition-colors hover:bg-muted hover:text-foreground"
        >
          <XIcon />
        </button>
      </div>
    </dialog>
  );
}
