import { LegalPage } from "@/components/content/legal-page";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/env";
import { pages } from "@/lib/routes";
import { termsSections } from "./sections";

export const metadata = pageMetadata({
  page: pages.terms,
  title: "Terms of Service",
  description:
    "The rules for using this free service: what it does, its limits, your duties, and our liability.",
});

export default function TermsPage() {
  const { siteName, supportEmail, buildDate } = getSiteSettings();
  return (
    <LegalPage
      title="Terms of Service"
      lead={<p>The rules for using {siteName}. By requesting likes you agree to them.</p>}
      updated={buildDate}
      sections={termsSections({ siteName, supportEmail })}
      related={[pages.privacy, pages.disclaimer]}
    />
  );
}
