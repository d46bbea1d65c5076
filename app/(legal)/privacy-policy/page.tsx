import { LegalPage } from "@/components/content/legal-page";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/env";
import { pages } from "@/lib/routes";
import { collectionSections } from "./collection";
import { rightsSections } from "./rights";

export const metadata = pageMetadata({
  page: pages.privacy,
  title: "Privacy Policy",
  description: "Which data we collect, how it is hashed, how long it is kept, and which rights you have.",
});

export default function PrivacyPage() {
  const { siteName, supportEmail, buildDate, inboxRetentionDays } = getSiteSettings();
  return (
    <LegalPage
      title="Privacy Policy"
      lead={<p>What {siteName} learns about you, what it does with that, and what you can ask for.</p>}
      updated={buildDate}
      sections={[...collectionSections(inboxRetentionDays), ...rightsSections(supportEmail)]}
      related={[pages.terms, pages.disclaimer]}
    />
  );
}
