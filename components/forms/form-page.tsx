import type { ReactNode } from "react";

export interface FormPageProps {
  heading: string;
  lead: ReactNode;
  children: ReactNode;
}

/** Renders the layout of a page with a form: one column with an h1. */
export function FormPage({ heading, lead, children }: FormPageProps) {
  return (
    <div className="page-width py-6 sm:py-10">
      <div className="flex max-w-column flex-col gap-8 sm:gap-10">
        <div className="flex flex-col gap-2">
          <h1>{heading}</h1>
          <p className="text-muted-foreground sm:text-lg">{lead}</p>
        </div>
        {children}
      </div>
    </div>
  );
}
