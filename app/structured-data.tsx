import { BreadcrumbJsonLd, OrganizationJsonLd, SoftwareApplicationJsonLd } from "next-seo";
import { pageHeads } from "@/lib/content/page-heads";
import { pages, type PageName } from "@/lib/http/routes";
import { getSiteSettings } from "@/lib/server/config/env";

/*
 * What search engines read beside the text. No ratings and no reviews: those on the pages are samples.
 *
 * The library escapes "</script>" but not variants such as "</script >". No value here can hold a "<": the words are
 * ours, and lib/config/build-settings.ts refuses a site's name with one.
 */

/** Who runs the site, and what it is: on the home page. */
export function SiteData() {
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

/** The way from home to a page. */
export function Breadcrumbs({ page }: { page: PageName }) {
  const { siteUrl } = getSiteSettings();
  const trail = [pages.home, pages[page]];
  return <BreadcrumbJsonLd items={trail.map(({ path, label }) => ({ name: label, item: siteUrl + path }))} />;
}
