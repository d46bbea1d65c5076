import { LegalPage } from "@/components/content/legal-page";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { pages } from "@/lib/http/pages";
import { disclaimerSections } from "./sections";
import { BreadcrumbStructuredData } from "../../structured-data";

export const metadata = pageMetadata("disclaimer");

/** Renders the disclaimer. */
export default function DisclaimerPage() {
  const { siteName, supportEmail, buildDate } = getSiteSettings();
  return (
    <>
      <BreadcrumbStructuredData page="disclaimer" />
      <LegalPage
        title="Disclaimer"
        lead={<p>What {siteName} does not promise, and what you should know before you use it.</p>}
        updated={buildDate}
        sections={disclaimerSections({ siteName, supportEmail })}
        related={[pages.privacy, pages.terms, pages.contact]}
      />
    </>
  );
}
