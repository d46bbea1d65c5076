import { LegalPage } from "@/components/content/legal-page";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { pages } from "@/lib/http/pages";
import { termsSections } from "./sections";
import { BreadcrumbStructuredData } from "../../structured-data";

export const metadata = pageMetadata("terms");

/** Renders the terms of service. */
export default function TermsPage() {
  const { siteName, supportEmail, buildDate } = getSiteSettings();
  return (
    <>
      <BreadcrumbStructuredData page="terms" />
      <LegalPage
        title="Terms of Service"
        lead={<p>The rules for using {siteName}. By requesting likes you agree to them.</p>}
        updated={buildDate}
        sections={termsSections({ siteName, supportEmail })}
        related={[pages.privacy, pages.disclaimer]}
      />
    </>
  );
}
