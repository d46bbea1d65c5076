import { TextLink } from "@/components/content/text-link";
import { deliveryTimes } from "@/lib/content/figures";
import {
  cooldownHours,
  demoExplanation,
  describeOperator,
  estimateLabel,
  sampleLabel,
} from "@/lib/content/site";
import { limits } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import type { LegalSection } from "../legal-page";

/** Returns all sections of the disclaimer. LegalPage adds the section numbers. */
export function disclaimerSections(): LegalSection[] {
  const { siteName, supportEmail, operator, demoMode } = getSiteSettings();
  return [
    {
      id: "general",
      title: "General information",
      body:
        `The pages of ${siteName} describe a free tool and are for general information. We write them with ` +
        "care, but they can be incomplete or out of date.",
    },
    {
      id: "no-affiliation",
      title: "No affiliation with Instagram",
      body:
        `${siteName} is not affiliated with, sponsored or endorsed by Instagram or its parent company. Their ` +
        "names and marks belong to them. We use the name “Instagram” only to say which posts the service is " +
        "for.",
    },
    {
      id: "no-guarantee",
      title: "No guarantee of results",
      body:
        "Likes are no promise of reach, followers, sales or recognition. Whether a post does well depends " +
        "on the post, its audience and Instagram. Likes may also disappear again.",
    },
    {
      id: "delivery-times",
      title: "Delivery times",
      body:
        `Times given on our pages are estimates and differ with the load: ${deliveryTimes.full}, and longer at ` +
        "busy hours. Your request counts as made when the delivery service accepts it, not when the last like " +
        "has arrived.",
    },
    {
      id: "samples",
      title: "Figures and testimonials",
      body:
        `Testimonials, success stories and figures with the label “${sampleLabel}” are made up, and so are ` +
        "the people in them. They stand for what the operator of this site may one day be able to prove. " +
        `Times with the label “${estimateLabel}” are what the operator expects; nobody has measured ` +
        "them. Neither should influence your decision.",
    },
    demoMode
      ? { id: "demo", title: "Demo mode", body: demoExplanation }
      : {
          id: "operator",
          title: "Who runs this site",
          body: `${siteName} is run by ${describeOperator(operator)}.`,
        },
    {
      id: "your-account",
      title: "Your account and Instagram's rules",
      body:
        "Instagram restricts artificial engagement. It may remove likes, limit the reach of posts, or " +
        "restrict accounts. You use the service at your own risk, and it is up to you to read Instagram's " +
        "terms first.",
    },
    {
      id: "content",
      title: "Content of posts",
      body:
        "We do not create, host or edit the posts that are submitted, and a request is no approval of a " +
        "post. Posts with illegal, hateful, violent or adult content are rejected by the delivery service.",
    },
    {
      id: "availability",
      title: "Availability and limits",
      body: (
        <p>
          The service is offered as available, with one request every {cooldownHours} hours, at most{" "}
          {limits.maxRequestsPerDay} within 24 hours, and a limit for all visitors together per day. We may
          change, interrupt or end it. Outages of Instagram, of the delivery service or of our own systems can
          delay or prevent a delivery.
        </p>
      ),
    },
    {
      id: "advertising",
      title: "Advertising",
      body: (
        <p>
          Advertising pays for the service. We do not check what advertisers offer, and an ad on our pages is
          no recommendation. How ads and data go together is described in the{" "}
          <TextLink href={pages.privacy.path}>privacy policy</TextLink>.
        </p>
      ),
    },
    {
      id: "links",
      title: "Links to other sites",
      body:
        "Some pages link to sites that we do not run, such as Instagram's help pages. Their owners answer " +
        "for their content and for what they do with your data.",
    },
    {
      id: "liability",
      title: "No advice, and limits of liability",
      body: (
        <p>
          Nothing here is legal, business or marketing advice. As far as the law allows, we are not liable for
          damage from using the service or from relying on its pages. The details are in the{" "}
          <TextLink href={pages.terms.path}>terms of service</TextLink>.
        </p>
      ),
    },
    {
      id: "contact",
      title: "Changes and contact",
      body: (
        <p>
          We may change this disclaimer; the version on this page applies, and the date at its top is the day
          on which you read it. Questions are welcome through the{" "}
          <TextLink href={pages.contact.path}>contact form</TextLink> or at{" "}
          <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>.
        </p>
      ),
    },
  ];
}
