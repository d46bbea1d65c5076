import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { pages } from "@/lib/http/pages";
import { termsSections } from "./sections";
import { LegalPage } from "../legal-page";

export const metadata = pageMetadata("terms");

/** Renders the terms of service. */
export default function TermsPage() {
  const { siteName } = getSiteSettings();
  return (
    <LegalPage
      page="terms"
      lead={<p>The rules for using {siteName}. By requesting likes you agree to them.</p>}
      sections={termsSections()}
      related={[pages.privacy, pages.disclaimer]}
    />
  );
}
