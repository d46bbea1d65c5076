"use client";

import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

export interface SubmitButtonProps {
  sending: boolean;
  /** In place of the button's own words while it is sending. */
  words: string;
  /** Why the last submission failed; null when it did not. */
  failure: ReactNode;
  children: ReactNode;
}

/** The button of a form, and below it what its last press came to: the toast that says it goes, this stays. */
export function SubmitButton({ sending, words, failure, children }: SubmitButtonProps) {
  return (
    <>
      <Button type="submit" size="lg" loading={sending} aria-describedby={failure ? failureId : undefined}>
        {sending ? words : children}
      </Button>
      {failure && (
        <Alert ref={bringIntoView} id={failureId} variant="destructive">
          {failure}
        </Alert>
      )}
    </>
  );
}

/** A page has one form. */
const failureId = "submit-failure";

/** A press at the lower edge of the window would be answered below it. */
function bringIntoView(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: "nearest" });
}
