import type { ReactNode } from "react";
import { PageIntro } from "@/components/content/page-intro";
import { TextLink } from "@/components/content/text-link";
import type { forms } from "@/components/forms/forms";
import { SitePage } from "@/app/site-page";
import { issueFormHash } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { Island } from "../island";

export interface FormPageProps {
  page: "contact" | "feedback" | "reportIssue";
  heading: string;
  lead: string;
  form: keyof typeof forms;
  formTitle: string;
  /** Shown below the form. Wide screens show it beside the form. */
  aside: ReactNode;
  /** Shown above the form. */
  children?: ReactNode;
}

/** Renders a page with a form: an h1, the form in a card and an aside. */
export function FormPage({ page, heading, lead, form, formTitle, aside, children }: FormPageProps) {
  const { supportEmail } = getSiteSettings();
  return (
    <SitePage name={page}>
      <div className="page-width flex flex-col gap-8 py-8 sm:py-12">
        <PageIntro title={heading}>{lead}</PageIntro>
        <div className="grid grid-cols-1 gap-x-12 gap-y-8 *:max-w-column max-lg:[--column:48rem] lg:grid-cols-column-aside">
          <div className="flex min-w-0 flex-col gap-8 sm:gap-10">
            {children}
            <section
              id={form === "issue" ? issueFormHash.slice(1) : undefined}
              aria-labelledby="form-title"
              className="flex scroll-mt-6 flex-col gap-4"
            >
              <h2 id="form-title">{formTitle}</h2>
              <noscript>
                <p className="rounded border bg-muted px-4 py-3">
                  The form needs JavaScript, for the human check. You can also write to{" "}
                  <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>.
                </p>
              </noscript>
              <div className="rounded border bg-card p-4 shadow sm:p-6">
                <Island name="forms/message" props={{ id: form }} />
              </div>
            </section>
          </div>
          {aside}
        </div>
      </div>
    </SitePage>
  );
}
