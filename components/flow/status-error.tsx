"use client";

import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

export interface StatusErrorProps {
  onRetry: () => void;
  retrying?: boolean;
}

/** The status call failed: whether this visitor can request likes is not known. */
export function StatusError({ onRetry, retrying }: StatusErrorProps) {
  return (
    <>
      <Alert variant="destructive" role="alert" title="Unable to check API limits">
        <p>We&apos;re experiencing technical difficulties. Please try again later.</p>
      </Alert>
      <Button loading={retrying} onClick={onRetry} className="sm:self-start">
        Try Again
      </Button>
    </>
  );
}
