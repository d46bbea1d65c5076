import { TextLink } from "@/components/content/text-link";
import { pageMetadata } from "@/app/page-metadata";
import { deliveryTimes } from "@/lib/content/figures";
import { demoExplanation, describeOperator, estimateLabel, sampleLabel } from "@/lib/content/site";
import { pages } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { LegalPage, Section } from "../legal-page";

export const metadata = pageMetadata("disclaimer");

/** Renders the disclaimer. */
export default function DisclaimerPage() {
  const { siteName, supportEmail, operator, demoMode } = getSiteSettings();
  return (
    <LegalPage
      page="disclaimer"
      lead={`What ${siteName} does not promise, and what you should know before you use it.`}
      related={[pages.privacy, pages.terms, pages.contact]}
    >
      <Section id="general" title="General information">
        The pages of {siteName} describe a free tool and are for general information. We write them with care,
        but they can be incomplete or out of date.
      </Section>
      <Section id="no-affiliation" title="No affiliation with Instagram">
        {siteName} is not affiliated with, sponsored or endorsed by Instagram or its parent company. Their
        names and marks belong to them. We use the name “Instagram” only to say which posts the service is
        for.
      </Section>
      <Section id="no-guarantee" title="No guarantee of results">
        Likes are no promise of reach, followers, sales or recognition. Whether a post does well depends on
        the post, its audience and Instagram. Likes may also disappear again.
      </Section>
      <Section id="delivery-times" title="Delivery times">
        Times given on our pages are estimates and differ with the load: {deliveryTimes.full}, and longer at
        busy hours. Your request counts as made when the delivery service accepts it, not when the last like
        has arrived.
      </Section>
      <Section id="samples" title="Figures and testimonials">
        Testimonials, success stories and figures with the label “{sampleLabel}” are made up, and so are the
        people in them. They stand for what the operator of this site may one day be able to prove. Times with
        the label “{estimateLabel}” are what the operator expects; nobody has measured them. Neither should
        influence your decision.
      </Section>
      {demoMode ? (
        <Section id="demo" title="Demo mode">
          {demoExplanation}
        </Section>
      ) : (
        <Section id="operator" title="Who runs this site">
          {siteName} is run by {describeOperator(operator)}.
        </Section>
      )}
      <Section id="your-account" title="Your account and Instagram's rules">
        Instagram restricts artificial engagement. It may remove likes, limit the reach of posts, or restrict
        accounts. You use the service at your own risk, and it is up to you to read Instagram&apos;s terms
        first.
      </Section>
      <Section id="content" title="Content of posts">
        We do not create, host or edit the posts that are submitted, and a request is no approval of a post.
        Posts with illegal, hateful, violent or adult content are rejected by the delivery service. If a post
        is yours and should get no likes from here, write to us: we block it.
      </Section>
      <Section id="availability" title="Availability and limits">
        The service is offered as available, within the{" "}
        <TextLink href={`${pages.terms.path}#limits`}>usage limits</TextLink> of the terms. We may change,
        interrupt or end it. Outages of Instagram, of the delivery service or of our own systems can delay or
        prevent a delivery.
      </Section>
      <Section id="advertising" title="Advertising">
        Advertising pays for the service. We do not check what advertisers offer, and an ad on our pages is no
        recommendation. How ads and data go together is described in the{" "}
        <TextLink href={pages.privacy.path}>privacy policy</TextLink>.
      </Section>
      <Section id="links" title="Links to other sites">
        Some pages link to sites that we do not run, such as Instagram&apos;s help pages. Their owners answer
        for their content and for what they do with your data.
      </Section>
      <Section id="liability" title="No advice, and limits of liability">
        Nothing here is legal, business or marketing advice. As far as the law allows, we are not liable for
        damage from using the service or from relying on its pages. The details are in the{" "}
        <TextLink href={pages.terms.path}>terms of service</TextLink>.
      </Section>
      <Section id="contact" title="Changes and contact">
        We may change this disclaimer; the version on this page applies, and the date at its top is the day on
        which you read it. Questions are welcome through the{" "}
        <TextLink href={pages.contact.path}>contact form</TextLink> or at{" "}
        <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>.
      </Section>
    </LegalPage>
  );
}
