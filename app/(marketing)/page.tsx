import { HomeFacts, HomeHeading } from "./home-intro";
import { HomeSections } from "./home-sections";
import { HomeTool } from "@/components/flow/home/home-tool";
import { AdSlot } from "@/components/site/ad-slot";
import { pageMetadata } from "@/app/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { SiteStructuredData } from "../structured-data";
import { Island } from "../island";

export const metadata = pageMetadata("home");

/** Renders the home page. HomeTool contains the form where visitors enter the link of a post. */
export default function HomePage() {
  const { ads, demoMode } = getSiteSettings();
  return (
    <>
      <SiteStructuredData />
      <div className="page-width grid grid-cols-1 gap-4 py-4 sm:gap-6 sm:py-10 lg:grid-cols-column-aside lg:grid-rows-[auto_auto_1fr] lg:gap-x-12">
        <HomeHeading />
        <div className="flex min-w-0 max-w-column flex-col gap-4 sm:gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-2">
          <Island name="home/tool" component={HomeTool} props={{}} />
          <noscript>
            <p className="rounded border bg-muted px-4 py-3">
              The form needs JavaScript, for the human check and for the steps that follow. Please switch it
              on and load this page again.
            </p>
          </noscript>
        </div>
        <div id="home-facts" className="flex max-w-column flex-col gap-6 pt-2">
          <HomeFacts />
        </div>
      </div>

      {ads?.toolUnit && (
        <div className="page-width py-6">
          <AdSlot unit={ads.toolUnit} />
        </div>
      )}

      <HomeSections demo={demoMode !== null} />
    </>
  );
}
