import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";
import { cn } from "@/lib/client/cn";

/**
 * Places buttons in a column on phones, and in a row on wider screens. With `row`, phones show a row, too. The main button must
 * come first and is the widest.
 */
export function Actions({ row = false, children }: { row?: boolean; children: ReactNode }) {
  return (
    <div
      className={cn(
        "flex flex-wrap gap-3 *:self-stretch! *:first:grow print:hidden",
        !row && "max-sm:flex-col",
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

/** Renders a link to another page, as large as the buttons of a step if it is the main action. */
export function ActionLink({ href, main = false, children }: ActionLinkProps) {
  return (
    <ButtonLink
      href={href}
      size={main ? "lg" : "default"}
      variant={main ? "default" : "outline"}
      className="sm:self-start"
    >
      {children}
    </ButtonLink>
  );
}
