import { TextLink } from "@/components/content/text-link";
import { privacyFigures } from "@/lib/content/figures";
import { describeOperator, type Operator } from "@/lib/content/site";
import { pages } from "@/lib/http/pages";
import type { LegalSection } from "../legal-page";

const { rightsResponseDays, ccpaResponseTime, minimumAge } = privacyFigures;

/** Returns the last sections of the privacy policy: the rights of visitors and the contact address. */
export function rightsSections(supportEmail: string, operator: Operator | null): LegalSection[] {
  const mail = <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>;
  return [
    {
      id: "rights",
      title: "Your rights, wherever you live",
      body: (
        <>
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
        </>
      ),
    },
    {
      id: "ccpa",
      title: "Rights in California (CCPA)",
      body:
        "If you live in California, you may ask which categories and pieces of personal information we have " +
        "collected about you in the last twelve months, where they came from, what for, and to whom we " +
        "disclosed them; you may have them corrected or deleted; and you may not be treated worse for it. " +
        "We do not sell personal information. Where advertising counts as “sharing”, you opt out by not " +
        `consenting to it. We answer within ${ccpaResponseTime}. An agent may ask for you.`,
    },
    {
      // Reader views remove elements whose id contains "gdpr".
      id: "europe",
      title: "Rights in the EEA, the United Kingdom and Switzerland (GDPR)",
      body: (
        <>
          <p>
            You have the rights of access (Art. 15), rectification (Art. 16), erasure (Art. 17), restriction
            (Art. 18), data portability (Art. 20) and objection (Art. 21), and you may withdraw a consent for
            the future (Art. 7). The controller is {describeOperator(operator)}, reachable at {mail}. We
            answer within {rightsResponseDays} days.
          </p>
          <p>
            No decision with legal effect is made about you by automated means: the limits only say when you
            can make the next free request. You may complain to the data protection authority where you live.
          </p>
        </>
      ),
    },
    {
      id: "children",
      title: "Children",
      body:
        `The service is not for children under ${minimumAge}, and we do not knowingly collect data about ` +
        "them. If you believe that a child has written to us, tell us, and we delete it.",
    },
    {
      id: "links",
      title: "Links to other sites",
      body:
        "Our pages link to sites of others, such as Instagram's help pages. This policy does not apply " +
        "there: please read theirs.",
    },
    {
      id: "changes",
      title: "Changes to this policy",
      body:
        "When the software or the law changes, this policy changes with it. The version on this page " +
        "applies. The date at its top is the day on which you read it.",
    },
    {
      id: "contact",
      title: "Contact",
      body: (
        <p>
          Questions about your data: use the <TextLink href={pages.contact.path}>contact form</TextLink> or
          write to {mail}.
        </p>
      ),
    },
  ];
}
