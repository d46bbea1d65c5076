import type { ReactNode } from "react";
import { DemoBanner } from "@/components/site/demo-banner";
import { Footer } from "@/components/site/footer";
import { Header } from "@/components/site/header";
import type { HeadName } from "@/lib/content/page-heads";
import { pages, type Page } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { BreadcrumbStructuredData } from "./structured-data";

/** Renders a page: header, content and footer. scripts/lib/post-process-pages.ts reads the name in `data-page`. */
export function SitePage({ name, children }: { name: HeadName; children: ReactNode }) {
  const { siteName, operator, demoMode, gtmId, ads, scripts } = getSiteSettings();
  const page: Page | undefined = name === "notFound" ? undefined : pages[name];
  const needsConsent = gtmId !== null || ads !== null;
  return (
    <>
      <Header siteName={siteName} page={page} />
      {demoMode && <DemoBanner mode={demoMode} />}
      <main id="main" tabIndex={-1} data-page={name} className="flex-1">
        {page?.guard === "open" && page !== pages.home && <BreadcrumbStructuredData page={page} />}
        {children}
      </main>
      <Footer siteName={siteName} page={page} operator={operator?.name} showCookieSettings={needsConsent} />
      {needsConsent && (
        <script defer src={scripts["consent.js"]} data-gtm-id={gtmId} data-ads-client={ads?.client} />
      )}
    </>
  );
}
