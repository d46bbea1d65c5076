import { BreadcrumbJsonLd, JsonLdScript, OrganizationJsonLd, SoftwareApplicationJsonLd } from "next-seo";
import { pageHeads } from "@/lib/content/page-heads";
import { canonicalUrl, pages, type Page } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";

// The JSON-LD contains no ratings or reviews, because the reviews on the pages are samples.
// Security: next-seo escapes "</script>" but not "</script >", so no value may contain "<". The texts are
// constants, and lib/config/build-settings.ts checks the configured values.

/** Renders JSON-LD for the home page. It describes the website, the organization and the web application. */
export function SiteStructuredData() {
  const { siteUrl, siteName, supportEmail } = getSiteSettings();
  const url = canonicalUrl(siteUrl, pages.home);
  return (
    <>
      <JsonLdScript
        scriptKey="website"
        data={{ "@context": "https://schema.org", "@type": "WebSite", name: siteName, url }}
      />
      <OrganizationJsonLd
        name={siteName}
        url={url}
        logo={`${siteUrl}/icons/512.png`}
        email={supportEmail}
        contactPoint={{ contactType: "customer support", email: supportEmail }}
      />
      <SoftwareApplicationJsonLd
        type="WebApplication"
        name={siteName}
        description={pageHeads.home.description}
        url={url}
        applicationCategory="UtilitiesApplication"
        operatingSystem="Any"
        offers={{ price: 0, priceCurrency: "USD" }}
      />
    </>
  );
}

/** Renders JSON-LD with two breadcrumbs: the home page and `page`. Browsers do not display JSON-LD. */
export function BreadcrumbStructuredData({ page }: { page: Page }) {
  const { siteUrl } = getSiteSettings();
  const items = [pages.home, page].map((each) => ({ name: each.label, item: canonicalUrl(siteUrl, each) }));
  return <BreadcrumbJsonLd items={items} />;
}
