import { CallToAction } from "@/components/content/call-to-action";
import { LinkCards, type LinkCard } from "@/components/content/link-cards";
import { PageIntro } from "@/components/content/page-intro";
import { PrivateAccountGuides } from "@/components/content/private-account-guides";
import { QuestionList } from "@/components/content/question-list";
import { TitledSection } from "@/components/content/titled-section";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { FlagIcon, CircleQuestionMarkIcon, MailIcon } from "lucide-react";
import { guidesByPlatform } from "@/lib/content/private-account-guides";
import { getSupportTopics } from "@/lib/content/support-topics";
import { pages } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";

export const metadata = pageMetadata("support");

const options: LinkCard[] = [
  {
    Icon: CircleQuestionMarkIcon,
    href: pages.faq.path,
    title: "Read the FAQ",
    body: "Quick answers to what people ask most.",
  },
  {
    Icon: FlagIcon,
    href: pages.reportIssue.path,
    title: "Report an issue",
    body: "Something does not work as it should.",
  },
  {
    Icon: MailIcon,
    href: pages.contact.path,
    title: "Contact us",
    body: "Anything else: write us a message.",
  },
];

const resources: LinkCard[] = [
  {
    href: "https://help.instagram.com",
    title: "Instagram Help Center",
    body: "Instagram's own help: privacy settings, sharing, your account.",
    external: true,
  },
  { href: pages.howItWorks.path, title: "How It Works", body: "The four steps with more detail." },
  { href: "/terms", title: "Terms of Service", body: "What you may expect from us, and we from you." },
  { href: "/privacy", title: "Privacy Policy", body: "What we store, how, and for how long." },
  { href: pages.feedback.path, title: "Share Feedback", body: "Ideas, wishes, and what you liked." },
];

/** Renders the Support Center. */
export default function SupportPage() {
  const { demoMode } = getSiteSettings();
  return (
    <SitePage name="support">
      <div className="page-width flex flex-col gap-12 py-8 sm:gap-16 sm:py-12">
        <div className="flex flex-col gap-8">
          <PageIntro title="Support Center">Find the answer yourself, or tell us what happened.</PageIntro>
          <LinkCards cards={options} level="h2" />
        </div>
        <div className="grid grid-cols-1 gap-12 max-lg:[--column:48rem] lg:grid-cols-2">
          <TitledSection id="topics" title="Help topics" className="max-w-column">
            <QuestionList name="support-topics" questions={getSupportTopics(demoMode !== null)} />
          </TitledSection>
          <TitledSection id="make-public" title="How to make your account public" className="max-w-column">
            <PrivateAccountGuides guides={guidesByPlatform.iphone} />
          </TitledSection>
        </div>
        <TitledSection id="resources" title="More resources">
          <LinkCards cards={resources} />
        </TitledSection>
        <CallToAction
          title="Still need help?"
          action={{ href: pages.contact.path, label: "Contact Support" }}
        >
          Tell us what you tried and what you saw. If you have a reference from the success page, add it.
        </CallToAction>
      </div>
    </SitePage>
  );
}
