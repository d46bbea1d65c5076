import { pageMetadata } from "@/app/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { pages } from "@/lib/http/pages";
import { disclaimerSections } from "./sections";
import { LegalPage } from "../legal-page";

export const metadata = pageMetadata("disclaimer");

/** Renders the disclaimer. */
export default function DisclaimerPage() {
  const { siteName } = getSiteSettings();
  return (
    <LegalPage
      page="disclaimer"
      lead={<p>What {siteName} does not promise, and what you should know before you use it.</p>}
      sections={disclaimerSections()}
      related={[pages.privacy, pages.terms, pages.contact]}
    />
  );
}
