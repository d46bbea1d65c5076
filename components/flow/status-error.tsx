"use client";

import type { ReactNode } from "react";
import { Actions } from "@/components/flow/actions";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

export interface StatusErrorProps {
  onRetry: () => void;
  retrying?: boolean;
  /** Further actions. */
  children?: ReactNode;
}

/** The status call failed: whether this visitor can request likes is not known. */
export function StatusError({ onRetry, retrying, children }: StatusErrorProps) {
  return (
    <>
      <Alert variant="destructive" role="alert" title="Unable to check API limits">
        <p>We&apos;re experiencing technical difficulties. Please try again later.</p>
      </Alert>
      <Actions>
        <Button size="lg" loading={retrying} onClick={onRetry}>
          Try Again
        </Button>
        {children}
      </Actions>
    </>
  );
}
