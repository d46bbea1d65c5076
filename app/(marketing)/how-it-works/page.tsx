import { CallToAction } from "@/components/content/call-to-action";
import { FeatureCards, type Feature } from "@/components/content/feature-cards";
import { PageIntro } from "@/components/content/page-intro";
import { EstimateLabel } from "@/components/content/sample-label";
import { StepList, type Step } from "@/components/content/step-list";
import { TitledSection } from "@/components/content/titled-section";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { ClockIcon, EyeIcon, LockIcon } from "lucide-react";
import { deliveryTimes, processing } from "@/lib/content/figures";
import { cooldownHours } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";

const { likesPerRequest, maxRequestsPerDay } = limits;

export const metadata = pageMetadata("howItWorks");

const steps: Step[] = [
  {
    title: "Enter the post URL",
    body: (
      <>
        <p>
          In Instagram, open your post or reel, tap “Share” and choose “Copy link”. Paste it into the field on
          the home page and complete the human check.
        </p>
        <p>No account, and no Instagram password.</p>
      </>
    ),
  },
  {
    title: "Verify the post is public",
    body: (
      <>
        <p>
          We check that everyone can see your post, because likes cannot go to private ones, and whether you
          can request likes now. If the post is private, you get a guide to change that. If we cannot check
          it, we say so.
        </p>
        <p className="text-balance">
          {processing.text}&nbsp;
          <EstimateLabel sample={processing.sample} />
        </p>
      </>
    ),
  },
  {
    title: `Click “Send ${likesPerRequest} Free Likes”`,
    body: (
      <p>
        You see which post it is about before you decide. Keep the page open while the request is on its way.
        Only when it has been accepted do we say that it worked; if it is refused, it does not count.
      </p>
    ),
  },
  {
    title: `Watch the likes arrive, and return every ${cooldownHours} hours`,
    body: (
      <>
        <p className="text-balance">
          The likes {deliveryTimes.arrive}.&nbsp;
          <EstimateLabel sample={deliveryTimes.sample} />
        </p>
        <p className="text-foreground">
          {cooldownHours} hours after a request was accepted you can make the next one, for the same post or
          another: up to {maxRequestsPerDay} in 24 hours, as long as likes of the day are left.
        </p>
      </>
    ),
  },
];

const benefits: Feature[] = [
  {
    Icon: LockIcon,
    title: "Nothing to hand over",
    body: "The link of a public post is all we need. We never ask for your Instagram password.",
  },
  {
    Icon: EyeIcon,
    title: "You always know where you are",
    body: "Every step says what is happening, what went wrong, and what to do about it.",
  },
  {
    Icon: ClockIcon,
    title: `Free again every ${cooldownHours} hours`,
    body: "A countdown shows to the second when you can come back. There is no cap on total uses.",
  },
];

/** Renders the page that explains the four steps from the link of a post to its likes. */
export default function HowItWorksPage() {
  return (
    <SitePage name="howItWorks">
      <div className="page-width flex flex-col gap-16 py-8 sm:gap-24 sm:py-12">
        <PageIntro title="How It Works">
          From the link of your post to {likesPerRequest} free likes in four steps. It takes about a minute.
        </PageIntro>
        <section aria-label="The four steps" className="-mt-6 sm:-mt-12">
          <StepList steps={steps} long />
        </section>
        <TitledSection id="benefits" title="What you can count on">
          <FeatureCards features={benefits} />
        </TitledSection>
        <CallToAction
          title="Have a post in mind?"
          action={{ href: pages.home.path, label: `Get ${likesPerRequest} Free Likes` }}
          secondaryAction={{ href: pages.faq.path, label: "Read the FAQ" }}
        >
          Start with its link. If something is unclear, the FAQ has the details on limits, delivery and
          privacy.
        </CallToAction>
      </div>
    </SitePage>
  );
}
