import type { ReactNode } from "react";
import { InfoIcon } from "lucide-react";
import { Footer } from "@/components/site/footer";
import { Header } from "@/components/site/header";
import type { DemoMode } from "@/lib/config/build-settings";
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
      {/* The skip link moves the focus to this element. An outline around the whole page says nothing. */}
      <main id="main" tabIndex={-1} data-page={name} className="flex-1 outline-none">
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

const demoMessages: Record<DemoMode, string> = {
  demo: "Demo mode: no likes are sent to Instagram.",
  trial: "Demo mode, a local trial: orders go to the example service on this machine, no likes are sent.",
};

/** Renders the notice that every page shows in demo mode. Visitors cannot close the notice. */
function DemoBanner({ mode }: { mode: DemoMode }) {
  return (
    <section aria-label="Demo mode" className="border-b bg-warning-soft text-sm">
      <p className="page-width flex items-center justify-center gap-2 py-1.5">
        <InfoIcon className="size-4 text-warning" />
        {demoMessages[mode]}
      </p>
    </section>
  );
}
