import type { ReactNode } from "react";
import { PageIntro } from "@/components/content/page-intro";

export interface FormPageProps {
  heading: string;
  lead: ReactNode;
  /** Shown below the form. Wide screens show it beside the form. */
  aside: ReactNode;
  children: ReactNode;
}

/** Renders the layout of a page with a form: an h1, the form and an aside. */
export function FormPage({ heading, lead, aside, children }: FormPageProps) {
  return (
    <div className="page-width flex flex-col gap-8 py-8 sm:py-12">
      <PageIntro title={heading}>{lead}</PageIntro>
      <div className="grid grid-cols-1 gap-x-12 gap-y-8 *:max-w-column tablet-column lg:grid-cols-column-aside">
        <div className="flex min-w-0 flex-col gap-8 sm:gap-10">{children}</div>
        {aside}
      </div>
    </div>
  );
}
