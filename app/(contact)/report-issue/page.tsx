import { CommonIssues } from "@/components/forms/common-issues";
import { FormCard } from "@/components/forms/form-card";
import { FormPage } from "@/components/forms/form-page";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { pages } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { Island } from "../../island";

export const metadata = pageMetadata("reportIssue");

const furtherHelp = [
  { page: pages.faq, text: "Answers to frequent questions" },
  { page: pages.contact, text: "A question that is no problem report" },
  { page: pages.feedback, text: "Ideas and wishes" },
];

/** Renders the common problems with advice, then the form to report other problems. */
export default function ReportIssuePage() {
  const { supportEmail, demoMode } = getSiteSettings();
  return (
    <SitePage name="reportIssue">
      <FormPage
        heading="Report an Issue"
        lead="These four problems are the most common, and you can often solve them at once. Anything else: tell us with the form."
        aside={<FurtherHelp />}
      >
        <CommonIssues demoMode={demoMode !== null} />

        <FormCard id="report" title="Issue report" supportEmail={supportEmail}>
          <Island name="forms/issue" props={{}} />
        </FormCard>
      </FormPage>
    </SitePage>
  );
}

function FurtherHelp() {
  return (
    <section aria-labelledby="further" className="flex flex-col gap-3">
      <h2 id="further" className="text-xl sm:text-2xl">
        Further help
      </h2>
      <ul role="list" className="flex flex-col gap-1">
        {furtherHelp.map(({ page, text }) => (
          <li key={page.path}>
            <a href={page.path} className="link inline-block py-1 font-medium">
              {page.label}
            </a>
            : {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
