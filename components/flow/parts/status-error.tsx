"use client";

import type { ReactNode } from "react";
import { Actions, TryAgain } from "@/components/flow/parts/actions";
import { Alert } from "@/components/ui/alert";
import { getVisitorMessage } from "@/lib/client/api/api-client";

export interface StatusErrorProps {
  error: unknown;
  onRetry: () => void;
  children?: ReactNode;
}

/** Renders the error after the page could not check whether the visitor may request likes. */
export function StatusError({ error, onRetry, children }: StatusErrorProps) {
  const cause = getVisitorMessage(error, "");
  return (
    <>
      <Alert variant="destructive" role="alert" title="Unable to check API limits">
        <p>We&apos;re experiencing technical difficulties. Please try again later.</p>
        {cause && <p className="mt-1.5">{cause}</p>}
      </Alert>
      <Actions>
        <TryAgain onRetry={onRetry} />
        {children}
      </Actions>
    </>
  );
}
