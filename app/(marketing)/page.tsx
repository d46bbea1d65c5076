import { KeptHomeSections } from "./kept-home-sections";
import { HomeTool } from "@/components/flow/home-tool";
import { StepIndicator } from "@/components/flow/step-indicator";
import { AdSlot } from "@/components/site/ad-slot";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/env";
import { SiteData } from "../structured-data";

export const metadata = pageMetadata("home");

/** Home, step 1. */
export default function HomePage() {
  const adUnit = getSiteSettings().ads?.toolUnit;
  return (
    <>
      <SiteData />
      <div className="page-width py-4 sm:py-10">
        <div className="mx-auto flex max-w-column flex-col gap-4 sm:gap-6">
          <StepIndicator current={1} />
          <div className="flex flex-col gap-1 sm:gap-2">
            <h1 className="text-[1.75rem] sm:text-5xl">50 free Instagram likes</h1>
            <p className="text-sm text-muted-foreground sm:text-lg">
              For a public post or reel, every 4 hours. No account, no password.
            </p>
          </div>
          <HomeTool />
          <noscript>
            <p className="rounded border bg-muted px-4 py-3">
              The form needs JavaScript, for the human check and for the steps that follow. Please switch it
              on and load this page again.
            </p>
          </noscript>
        </div>
      </div>

      {adUnit && (
        <div className="page-width py-6">
          <AdSlot unit={adUnit} />
        </div>
      )}

      <KeptHomeSections />
    </>
  );
}
