import { LegalPage } from "@/components/content/legal-page";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { pages } from "@/lib/http/pages";
import { collectionSections } from "./collection";
import { rightsSections } from "./rights";
import { BreadcrumbStructuredData } from "../../structured-data";

export const metadata = pageMetadata("privacy");

/** Renders the privacy policy. */
export default function PrivacyPage() {
  const { siteName, supportEmail, buildDate, inboxRetentionDays } = getSiteSettings();
  return (
    <>
      <BreadcrumbStructuredData page="privacy" />
      <LegalPage
        title="Privacy Policy"
        lead={<p>What {siteName} learns about you, what it does with that, and what you can ask for.</p>}
        updated={buildDate}
        sections={[...collectionSections(inboxRetentionDays), ...rightsSections(supportEmail)]}
        related={[pages.terms, pages.disclaimer]}
      />
    </>
  );
}
