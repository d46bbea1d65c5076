import { TextLink } from "@/components/content/text-link";
import { pageMetadata } from "@/app/page-metadata";
import { pages } from "@/lib/http/pages";
import { FormPage } from "../form-page";

export const metadata = pageMetadata("feedback");

/** Renders the feedback form and the reasons to send feedback. */
export default function FeedbackPage() {
  return (
    <FormPage
      page="feedback"
      heading="Share Feedback"
      lead="Tell us what works, what does not, and what is missing."
      form="feedback"
      formTitle="Your feedback"
      aside={<Reasons />}
    />
  );
}

function Reasons() {
  return (
    <section aria-labelledby="why" className="flex flex-col gap-3">
      <h2 id="why" className="text-h3">
        Why your feedback matters
      </h2>
      <p>The people who use this tool know best where it gets in the way. Most helpful to us is:</p>
      <ul className="list-disc space-y-1.5 pl-5">
        <li className="pl-1">
          <strong className="font-semibold">Suggestion:</strong> something we already do and could do better.
        </li>
        <li className="pl-1">
          <strong className="font-semibold">Experience:</strong> how it went, on which step, and what you had
          expected.
        </li>
        <li className="pl-1">
          <strong className="font-semibold">Feature:</strong> what you would like to do and cannot do yet.
        </li>
      </ul>
      <p>
        Do you have a question? It may be answered in the <TextLink href={pages.faq.path}>FAQ</TextLink>.
      </p>
    </section>
  );
}
