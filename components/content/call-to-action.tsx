import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";

interface Action {
  href: string;
  label: string;
}

export interface CallToActionProps {
  title: string;
  children: ReactNode;
  action: Action;
  secondaryAction?: Action;
}

/** Renders a box with a heading, a text and one or two links, for the end of a content page. */
export function CallToAction({ title, children, action, secondaryAction }: CallToActionProps) {
  return (
    <section className="flex flex-col gap-5 rounded bg-primary-soft px-4 py-6 sm:px-8 sm:py-8 md:flex-row md:items-center md:justify-between print:hidden">
      <div className="flex max-w-xl flex-col gap-3">
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
      <div className="flex shrink-0 flex-col gap-3 sm:flex-row lg:w-96 lg:*:flex-1">
        <ButtonLink href={action.href} size="lg">
          {action.label}
        </ButtonLink>
        {secondaryAction && (
          <ButtonLink href={secondaryAction.href} variant="outline" size="lg">
            {secondaryAction.label}
          </ButtonLink>
        )}
      </div>
    </section>
  );
}
