import type { ReactNode } from "react";

export interface FormPageProps {
  heading: string;
  /** One or two sentences under it. */
  lead: ReactNode;
  children: ReactNode;
}

/** The frame of a page around a form: one column, the page's one h1, and what belongs to it. */
export function FormPage({ heading, lead, children }: FormPageProps) {
  return (
    <div className="page-width py-6 sm:py-10">
      <div className="flex max-w-column flex-col gap-8 sm:gap-10">
        <div className="flex flex-col gap-2">
          <h1 className="text-[1.75rem] sm:text-4xl">{heading}</h1>
          <p className="text-muted-foreground sm:text-lg">{lead}</p>
        </div>
        {children}
      </div>
    </div>
  );
}
