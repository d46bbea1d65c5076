import { pageMetadata } from "@/app/page-metadata";
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
      lead={<p>The rules for using {siteName}. By requesting likes or sending a form you agree to them.</p>}
      sections={termsSections()}
      related={[pages.privacy, pages.disclaimer]}
    />
  );
}
