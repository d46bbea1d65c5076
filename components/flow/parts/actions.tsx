import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";
import { cn } from "@/lib/client/cn";

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

export interface ActionLinkProps {
  href: string;
  /** True for the main action. Other actions have an outline. */
  main?: boolean;
  children: string;
}

/** Renders a link to another page, as large as the buttons of a step. */
export function ActionLink({ href, main = false, children }: ActionLinkProps) {
  return (
    <ButtonLink href={href} size="lg" variant={main ? "default" : "outline"} className="sm:self-start">
      {children}
    </ButtonLink>
  );
}
