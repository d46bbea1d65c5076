import { TextLink } from "@/components/content/text-link";
import { pageMetadata } from "@/app/page-metadata";
import { privacyFigures } from "@/lib/content/figures";
import { cooldownHours, demoExplanation, describeOperator, formatNumber } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { LegalPage, Section } from "../legal-page";

export const metadata = pageMetadata("terms");

const { likesPerRequest, maxRequestsPerDay, maxRequestsPerAddressPerDay, dailyLikeLimit } = limits;

/** Renders the terms of service. */
export default function TermsPage() {
  const { siteName, supportEmail, operator, demoMode } = getSiteSettings();
  return (
    <LegalPage
      page="terms"
      lead={`The rules for using ${siteName}. By requesting likes or sending a form you agree to them.`}
      related={[pages.privacy, pages.disclaimer]}
    >
      <Section id="service" title="Service description">
        <p>
          {siteName} (“we”, “the service”) is a free tool, run by {describeOperator(operator)}. You give it
          the link of a public Instagram post or reel, pass a human check, and request {likesPerRequest} likes
          for that post. If we can, we check that the post is public. We record your request, and pass it to
          the delivery service of the operator.
        </p>
        <p>You need no account with us, and we never ask for your Instagram password.</p>
        {demoMode && <p>{demoExplanation}</p>}
      </Section>
      <Section id="limits" title="Usage limits">
        <ul>
          <li>
            One request every {cooldownHours} hours per visitor, counted from the moment in which a request is
            accepted.
          </li>
          <li>At most {maxRequestsPerDay} accepted requests per visitor within any 24 hours.</li>
          <li>
            At most {maxRequestsPerAddressPerDay} accepted requests per network address within any 24 hours,
            unless the operator has set another number; wider networks have caps of their own.
          </li>
          <li>
            Daily platform-wide limits may apply: {formatNumber(dailyLikeLimit)} likes per day unless the
            operator has set another number. They reset at 00:00 GMT.
          </li>
        </ul>
        <p>
          There is no cap on total uses. The number of likes may change, and so may these limits. Getting
          around them, for example with programs, changing addresses or forged browser data, is not allowed.
        </p>
      </Section>
      <Section id="no-guarantee" title="No guaranteed engagement">
        <p>
          A request may be refused, delayed or delivered in part. Likes may be removed later, by Instagram or
          by those who gave them. We promise no number of likes that stays, and no reach, followers, sales or
          other effect. Times given on our pages are estimates.
        </p>
        <p>A request that the delivery service refuses is not counted towards your limits.</p>
      </Section>
      <Section id="duties" title="Your duties">
        <p>When you use the service, you confirm that</p>
        <ul>
          <li>
            you are at least {privacyFigures.minimumAge} years old, or older where your country asks for it;
          </li>
          <li>the post is yours, or its owner agrees to your request;</li>
          <li>the post is public and complies with Instagram&apos;s guidelines;</li>
          <li>you pass the human check yourself and do not disturb, overload or probe the service.</li>
        </ul>
        <p>
          Posts with illegal, hateful, violent or adult content are rejected: the delivery service refuses
          them, and you are shown its reason.
        </p>
      </Section>
      <Section id="advertising" title="Advertising">
        The service is funded by advertising. Ads are marked as such. Advertisers answer for what they show
        and offer; a banner on our pages is no recommendation. What ads may know about you is described in the{" "}
        <TextLink href={`${pages.privacy.path}#advertising`}>privacy policy</TextLink>.
      </Section>
      <Section id="intellectual-property" title="Intellectual property">
        <p>
          Your posts stay yours. By giving us a link you grant us no rights in the post; you only let us
          handle its code to fulfil your request.
        </p>
        <p>
          The name, texts and design of {siteName} belong to its operator or are used with permission.
          “Instagram” is a trademark of its owner and is used here only to say what the service is about. The
          packages and fonts in our pages have <TextLink href="/licenses.txt">licences of their own</TextLink>
          .
        </p>
      </Section>
      <Section id="platform-policies" title="Instagram's policies">
        We are not affiliated with Instagram or its parent company, and they neither sponsor nor endorse the
        service. Instagram has its own terms and community guidelines, which restrict artificial engagement,
        and it may remove likes or limit accounts. You decide whether using the service agrees with them, and
        you bear the consequences for your account.
      </Section>
      <Section id="termination" title="Termination">
        You can stop using the service at any time; there is nothing to cancel. We may refuse requests,
        exclude visitors who break these terms, and change, interrupt or end the service, with or without
        notice.
      </Section>
      <Section id="indemnification" title="Indemnification">
        If others make claims against us because you broke these terms, the law or their rights, you
        compensate us for the resulting damage and reasonable legal costs, as far as you are responsible for
        it and the law allows it.
      </Section>
      <Section id="liability" title="Limitation of liability">
        As far as the law allows, we are not liable for indirect or consequential damage, for lost profits,
        data or reach, or for what Instagram does with your post or account. Nothing here limits liability
        that cannot be limited by law, such as for intent, gross negligence, or injury to life and health.
      </Section>
      <Section id="warranty" title="Disclaimer of warranties">
        The service is free and provided “as is” and “as available”. We give no warranty that it is fit for a
        particular purpose, free of errors, or always reachable. More is in the{" "}
        <TextLink href={pages.disclaimer.path}>disclaimer</TextLink>.
      </Section>
      <Section id="law" title="Governing law">
        The law of the country in which the operator of this site is established applies. If you are a
        consumer, you keep the protection of the mandatory law of the country in which you live, and you may
        go to its courts.
      </Section>
      <Section id="changes" title="Changes to these terms">
        We may change these terms. The version on this page applies to each request that you make now. For a
        request that you have already made, the version at the time of the request applies. The date at the
        top is the day on which you read this page.
      </Section>
      <Section id="contact" title="Contact">
        Questions about these terms: use the <TextLink href={pages.contact.path}>contact form</TextLink> or
        write to <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>.
      </Section>
    </LegalPage>
  );
}
