import { CommonIssues } from "@/components/forms/common-issues";
import { pageMetadata } from "@/app/page-metadata";
import { pages } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { FormPage } from "../form-page";

export const metadata = pageMetadata("reportIssue");

const furtherHelp = [
  { page: pages.faq, text: "Answers to frequent questions" },
  { page: pages.contact, text: "A question that is no problem report" },
  { page: pages.feedback, text: "Ideas and wishes" },
];

/** Renders the common problems with advice, then the form to report other problems. */
export default function ReportIssuePage() {
  const { demoMode } = getSiteSettings();
  return (
    <FormPage
      page="reportIssue"
      heading="Report an Issue"
      lead="These four problems are the most common, and you can often solve them at once. Anything else: tell us with the form."
      form="issue"
      formTitle="Issue report"
      aside={<FurtherHelp />}
    >
      <CommonIssues demoMode={demoMode !== null} />
    </FormPage>
  );
}

function FurtherHelp() {
  return (
    <section aria-labelledby="further" className="flex flex-col gap-3">
      <h2 id="further">Further help</h2>
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
