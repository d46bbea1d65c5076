import { HomeFacts, HomeHeading, HomeSections } from "./home-sections";
import { StepIndicator } from "@/components/flow/parts/step-layout";
import { AdSlot } from "@/components/site/ad-slot";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { getHomeQuestions } from "@/lib/content/faq";
import { getSiteSettings } from "@/lib/server/config/env";
import { SiteStructuredData } from "../structured-data";
import { Island } from "../island";

export const metadata = pageMetadata("home");

/** Renders the home page. HomeTool contains the form where visitors enter the link of a post. */
export default function HomePage() {
  const { ads, operator } = getSiteSettings();
  const questions = getHomeQuestions(operator)
    .slice(0, 2)
    .map(({ question, answer }) => ({ question, answer: String(answer) }));
  return (
    <SitePage name="home">
      <SiteStructuredData />
      <div className="step-page">
        <StepIndicator current={1} />
        <div className="step-columns short:grid-rows-[auto_1fr]">
          <HomeHeading />
          <div className="step-column lg:col-start-2 short:col-start-2 short:row-span-2">
            <Island name="home/tool" props={{ operatorName: operator?.name, questions }} />
            <noscript>
              <p className="rounded border bg-muted px-4 py-3">
                The form needs JavaScript, for the human check and for the steps that follow. Please switch it
                on and load this page again.
              </p>
            </noscript>
          </div>
          <HomeFacts />
        </div>
      </div>

      {ads?.toolUnit && (
        <div className="page-width py-6">
          <AdSlot unit={ads.toolUnit} />
        </div>
      )}

      <HomeSections operator={operator} />
    </SitePage>
  );
}
