import { BreadcrumbJsonLd, OrganizationJsonLd, SoftwareApplicationJsonLd } from "next-seo";
import { pageHeads } from "@/lib/content/page-heads";
import { pages, type PageName } from "@/lib/http/routes";
import { getSiteSettings } from "@/lib/server/config/env";

// No ratings or reviews in the JSON-LD, because the reviews on the pages are samples.
// Security: next-seo escapes "</script>" but not "</script >". No value here contains "<": the texts are
// constants, and lib/config/build-settings.ts rejects a site name with "<".

/** Renders JSON-LD about the organization and the web application, for the home page. */
export function SiteStructuredData() {
  const { siteUrl, siteName, supportEmail } = getSiteSettings();
  return (
    <>
      <OrganizationJsonLd
        name={siteName}
        url={`${siteUrl}/`}
        logo={`${siteUrl}/icons/512.png`}
        email={supportEmail}
        contactPoint={{ contactType: "customer support", email: supportEmail }}
      />
      <SoftwareApplicationJsonLd
        type="WebApplication"
        name={siteName}
        description={pageHeads.home.description}
        url={`${siteUrl}/`}
        applicationCategory="UtilitiesApplication"
        operatingSystem="Any"
        offers={{ price: 0, priceCurrency: "USD" }}
      />
    </>
  );
}

/** Renders the breadcrumb JSON-LD from the home page to `page`. Visitors do not see it. */
export function BreadcrumbStructuredData({ page }: { page: PageName }) {
  const { siteUrl } = getSiteSettings();
  const trail = [pages.home, pages[page]];
  return <BreadcrumbJsonLd items={trail.map(({ path, label }) => ({ name: label, item: siteUrl + path }))} />;
}
