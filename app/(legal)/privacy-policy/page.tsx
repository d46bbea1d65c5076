import { TextLink } from "@/components/content/text-link";
import { pageMetadata } from "@/app/page-metadata";
import { cookieNotes } from "@/lib/content/cookies";
import { privacyFigures } from "@/lib/content/figures";
import { describeOperator } from "@/lib/content/site";
import { pages } from "@/lib/http/pages";
import { retention } from "@/lib/config/limits";
import { getSiteSettings } from "@/lib/server/config/env";
import { RetentionList } from "./retention-list";
import { LegalPage, Section } from "../legal-page";

export const metadata = pageMetadata("privacy");

const { addressAndFingerprintDays, statisticsDays, rightsResponseDays, ccpaResponseTime, minimumAge } =
  privacyFigures;

/** Renders the privacy policy. */
export default function PrivacyPage() {
  const { siteName, supportEmail, operator, demoMode } = getSiteSettings();
  const mail = <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>;
  return (
    <LegalPage
      page="privacy"
      lead={`What ${siteName} learns about you, what it does with that, and what you can ask for.`}
      related={[pages.terms, pages.disclaimer]}
    >
      <Section id="data-collected" title="Data we collect">
        <p>When you use the tool:</p>
        <ul>
          <li>
            <strong>Submitted URLs.</strong> We take the post&apos;s code out of the link and keep only that.
            The link itself is not stored.
          </li>
          <li>
            <strong>IP address.</strong> Used to recognise you for the limits and to fend off overload.
          </li>
          <li>
            <strong>Browser fingerprint.</strong> A value that your browser computes from its own properties.
            It is sent with a request for likes, and with each form, so that people who share an address can
            be told apart. Where there is none, the browser&apos;s name and version are used.
          </li>
          <li>
            <strong>Request timestamps,</strong> and what became of each request.
          </li>
        </ul>
        <p>
          IP address and fingerprint are stored only as keyed hashes (HMAC with SHA-256), and of an IPv6
          address only the first 64 bits go in. Nobody can read them back, and without our secret key nobody
          can test a guess.
        </p>
        <p>
          When you write to us: your name, email address, message, and what else you put into the form. We
          never ask for your Instagram password, and you have no account here.
        </p>
        <p>
          We use this to fulfil your request, to keep the limits, to prevent abuse, and to answer you. Under
          the GDPR, the grounds are the performance of the service that you ask for (Art. 6(1)(b)), our
          legitimate interest in a fair and stable service (Art. 6(1)(f)), and your consent where we ask for
          it (Art. 6(1)(a)).
        </p>
      </Section>
      <Section id="cookies" title="Cookies and storage in your browser">
        <p>The cookies that the site itself sets, each for what you ask for and without asking:</p>
        <ul>
          {cookieNotes.map(({ label, name, lifetime, holds }) => (
            <li key={name}>
              <strong>{label}</strong> (“{name}”), {lifetime}: {holds}.
            </li>
          ))}
        </ul>
        <p>
          On an https address the first two names begin with “__Host-”, and scripts cannot read them. While
          you go through the steps, your browser also keeps what it shows of the post, and a random number for
          your request, for the open tab. After an accepted request, it keeps the time of your next possible
          request and how many likes were left that day, so that the home page can tell you until then.
        </p>
        <p>
          All other cookies need your consent. Where analytics or ads are set up, you can withdraw it at the
          foot of every page, under “Cookie settings”.
        </p>
      </Section>
      <Section id="analytics" title="Analytics">
        The operator of this site can switch on analytics through a tag manager, to see which pages are opened
        and where people get stuck. It loads only after you have consented, and not at all where it is not set
        up. Usage statistics are anonymised after {statisticsDays} days.
      </Section>
      <Section id="advertising" title="Advertising partners">
        Ads pay for the service. Where ads are set up, an advertising network such as Google AdSense delivers
        them, and it may use cookies and your IP address for that. No ad loads before you have agreed. We give
        advertisers none of the records named here.
      </Section>
      <Section id="retention" title="Retention">
        <p>
          IP addresses and fingerprints are kept, as hashes, for up to {addressAndFingerprintDays} days. In
          detail, counted from the last use of a record:
        </p>
        <RetentionList />
        <p>
          Every record has an expiry date from the moment it is written, and the database deletes it on its
          own. Deleted records stay in the files of the database for up to a day, and in its backup copies for
          up to {retention.inboxDays} days. Where the operator has messages mailed as well, a copy is kept in
          the mailbox until it is dealt with.
        </p>
      </Section>
      <Section id="transfer" title="Transfer to other countries">
        Our servers and those of our service providers may be in other countries than yours, the United States
        among them. Where data of people in the EEA, the United Kingdom or Switzerland is transferred, this
        happens under an adequacy decision or standard contractual clauses.
      </Section>
      <Section id="disclosure" title="Disclosure to others">
        <p>We do not sell your data. These others get what they need for their part:</p>
        <ul>
          <li>
            <strong>The delivery service</strong> gets the post&apos;s code and link, the number of likes, and
            the number of the request. It gets neither your IP address nor your fingerprint.
            {demoMode && " In demo mode nothing is sent."}
          </li>
          <li>
            <strong>The lookup service</strong> that tells us whether a post is public, which may be Instagram
            itself, gets the post&apos;s code or link from our server. A preview image, if there is one, may
            be loaded by your browser from where it is stored.
          </li>
          <li>
            <strong>The human check.</strong> By default it runs in your browser and on our server, without
            anybody else. If the operator uses Google reCAPTCHA or Cloudflare Turnstile instead, that provider
            sees your IP address and data about your browser.
          </li>
          <li>
            <strong>The advertising network and the analytics provider,</strong> where they are set up and you
            agreed, see your IP address and use cookies of their own.
          </li>
          <li>
            <strong>Providers</strong> of hosting, database and email, who work on our instructions.
          </li>
          <li>
            <strong>Authorities,</strong> where the law obliges us.
          </li>
        </ul>
      </Section>
      <Section id="security" title="Security">
        We store your IP address and fingerprint only as hashes. The flow cookie is encrypted, and the
        rate-limit cookie is random. Our logs contain no fingerprints or links, and no IP addresses, except
        while we stop an attack. We never open an address that a visitor submits. No system is perfectly safe;
        if you find a weakness, please tell us through the{" "}
        <TextLink href={pages.reportIssue.path}>issue form</TextLink>.
      </Section>
      <Section id="rights" title="Your rights, wherever you live">
        <ul>
          <li>to know which data we have about you, and to get a copy;</li>
          <li>to have wrong data corrected;</li>
          <li>to have data deleted;</li>
          <li>to object to its use, and to take back a consent at any time.</li>
        </ul>
        <p>
          Write to {mail}. We answer within {rightsResponseDays} days, free of charge. Because we keep IP
          addresses only as hashes, we may need the reference of a request, or the link of the post, to find
          its record.
        </p>
      </Section>
      <Section id="ccpa" title="Rights in California (CCPA)">
        If you live in California, you may ask which categories and pieces of personal information we have
        collected about you in the last twelve months, where they came from, what for, and to whom we
        disclosed them; you may have them corrected or deleted; and you may not be treated worse for it. We do
        not sell personal information. Where advertising counts as “sharing”, you opt out by not consenting to
        it. We answer within {ccpaResponseTime}. An agent may ask for you.
      </Section>
      {/* Reader views remove elements whose id contains "gdpr". */}
      <Section id="europe" title="Rights in the EEA, the United Kingdom and Switzerland (GDPR)">
        <p>
          You have the rights of access (Art. 15), rectification (Art. 16), erasure (Art. 17), restriction
          (Art. 18), data portability (Art. 20) and objection (Art. 21), and you may withdraw a consent for
          the future (Art. 7). The controller is {describeOperator(operator)}, reachable at {mail}. We answer
          within {rightsResponseDays} days.
        </p>
        <p>
          No decision with legal effect is made about you by automated means: the limits only say when you can
          make the next free request. You may complain to the data protection authority where you live.
        </p>
      </Section>
      <Section id="children" title="Children">
        The service is not for children under {minimumAge}, and we do not knowingly collect data about them.
        If you believe that a child has written to us, tell us, and we delete it.
      </Section>
      <Section id="links" title="Links to other sites">
        Our pages link to sites of others, such as Instagram&apos;s help pages. This policy does not apply
        there: please read theirs.
      </Section>
      <Section id="changes" title="Changes to this policy">
        When the software or the law changes, this policy changes with it. The version on this page applies.
        The date at its top is the day on which you read it.
      </Section>
      <Section id="contact" title="Contact">
        Questions about your data: use the <TextLink href={pages.contact.path}>contact form</TextLink> or
        write to {mail}.
      </Section>
    </LegalPage>
  );
}
