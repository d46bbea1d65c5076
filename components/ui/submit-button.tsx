"use client";

import { useEffect, useId, useRef, type ReactNode } from "react";
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
  const id = useId();
  const message = useRef<HTMLDivElement>(null);

  // A press at the lower edge of the window would be answered below it.
  useEffect(() => {
    if (failure) message.current?.scrollIntoView({ block: "nearest" });
  }, [failure]);

  return (
    <>
      <Button type="submit" size="lg" loading={sending} aria-describedby={failure ? id : undefined}>
        {sending ? words : children}
      </Button>
      {failure && (
        <Alert ref={message} id={id} variant="destructive" className="animate-appear scroll-mb-4">
          {failure}
        </Alert>
      )}
    </>
  );
}
