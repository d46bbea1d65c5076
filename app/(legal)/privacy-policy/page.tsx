import { pageMetadata } from "@/app/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { pages } from "@/lib/http/pages";
import { collectionSections } from "./collection";
import { rightsSections } from "./rights";
import { LegalPage } from "../legal-page";

export const metadata = pageMetadata("privacy");

/** Renders the privacy policy. */
export default function PrivacyPage() {
  const { siteName, supportEmail, operator, demoMode } = getSiteSettings();
  return (
    <LegalPage
      page="privacy"
      lead={<p>What {siteName} learns about you, what it does with that, and what you can ask for.</p>}
      sections={[...collectionSections(demoMode !== null), ...rightsSections(supportEmail, operator)]}
      related={[pages.terms, pages.disclaimer]}
    />
  );
}
