"use client";

import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

export interface SubmitButtonProps {
  sending: boolean;
  sendingLabel: string;
  failure: ReactNode;
  /** True if the button is not the main action of the page. */
  quiet?: boolean;
  children: ReactNode;
}

/** Renders the submit button and the error of the last submission. Unlike a toast, the error stays. */
export function SubmitButton({ sending, sendingLabel, failure, quiet, children }: SubmitButtonProps) {
  return (
    <>
      <Button
        type="submit"
        size="lg"
        variant={quiet ? "outline" : "default"}
        loading={sending}
        aria-describedby={failure ? failureId : undefined}
      >
        {sending ? sendingLabel : children}
      </Button>
      {failure && (
        <Alert ref={scrollToMessage} id={failureId} variant="destructive">
          <div>{failure}</div>
        </Alert>
      )}
    </>
  );
}

/** Element id of the error message. The id can be a constant because a page has only one form. */
const failureId = "submit-failure";

/** Scrolls to the message, which may be below the visible part of the page. */
function scrollToMessage(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: "nearest" });
}
