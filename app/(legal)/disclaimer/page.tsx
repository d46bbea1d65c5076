import { LegalPage } from "@/components/content/legal-page";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/env";
import { pages } from "@/lib/routes";
import { disclaimerSections } from "./sections";

export const metadata = pageMetadata({
  page: pages.disclaimer,
  title: "Disclaimer",
  description:
    "What this service does not promise, its relation to Instagram, and what its figures are worth.",
});

export default function DisclaimerPage() {
  const { siteName, supportEmail, buildDate } = getSiteSettings();
  return (
    <LegalPage
      title="Disclaimer"
      lead={<p>What {siteName} does not promise, and what you should know before you use it.</p>}
      updated={buildDate}
      sections={disclaimerSections({ siteName, supportEmail })}
      related={[pages.privacy, pages.terms, pages.contact]}
    />
  );
}
