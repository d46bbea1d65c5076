import type { ReactNode } from "react";
import { cn } from "@/lib/client/cn";
import { Button, ButtonLink } from "@/components/ui/button";
import { linkFieldPath } from "@/lib/http/pages";

/**
 * Places buttons in a column on phones, and in a row on wider screens. On wide screens, they fill their column. The
 * main button must come first. With `framed`, wide screens show a card around them.
 */
export function Actions({ framed = false, children }: { framed?: boolean; children: ReactNode }) {
  return (
    <div
      className={cn(
        "flex flex-col gap-3 sm:flex-row sm:flex-wrap lg:*:grow short:*:grow print:hidden",
        framed && "lg:rounded lg:border lg:bg-card lg:p-6 lg:shadow",
      )}
    >
      {children}
    </div>
  );
}

/** Renders the main button after an error that a retry may solve. */
export function TryAgain({ onRetry }: { onRetry: () => void }) {
  return (
    <Button size="lg" onClick={onRetry}>
      Try Again
    </Button>
  );
}

/** Renders a link to the link field on the home page. */
export function TryAnotherPost() {
  return (
    <ButtonLink href={linkFieldPath} size="lg">
      Try Another Post
    </ButtonLink>
  );
}
