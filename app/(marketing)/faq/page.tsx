import { CallToAction } from "@/components/content/call-to-action";
import { IndexedPage } from "@/components/content/indexed-page";
import { PageIntro } from "@/components/content/page-intro";
import { QuestionList } from "@/components/content/question-list";
import { pageMetadata } from "@/components/site/page-metadata";
import { faqGroups } from "@/lib/content/faq";
import { limits } from "@/lib/limits";
import { pages } from "@/lib/routes";

export const metadata = pageMetadata({
  page: pages.faq,
  title: "Help Center: Frequently Asked Questions",
  description:
    "Answers about the service, links and delivery, the 4-hour and daily limits, and what happens to your data.",
});

/** The Help Center. Its four sections stand one under the other, so that they read without script. */
export default function FaqPage() {
  return (
    <div className="page-width flex flex-col gap-10 py-8 sm:gap-12 sm:py-12">
      <PageIntro title="Help Center">
        <p>Frequently asked questions, in four parts. Choose a question to read its answer.</p>
      </PageIntro>
      <IndexedPage entries={faqGroups}>
        {faqGroups.map(({ id, title, questions }) => (
          <section
            key={id}
            id={id}
            aria-labelledby={`${id}-title`}
            className="flex scroll-mt-6 flex-col gap-4"
          >
            <h2 id={`${id}-title`} className="text-2xl">
              {title}
            </h2>
            <QuestionList name={`faq-${id}`} questions={questions} />
          </section>
        ))}
        <p>
          Your question is not here?{" "}
          <a href={pages.contact.path} className="link font-medium">
            Contact us
          </a>
          .
        </p>
      </IndexedPage>
      <CallToAction
        title="Ready when you are"
        action={{ href: pages.home.path, label: `Get ${limits.likesPerRequest} Free Likes Now` }}
      >
        All you need is the link of a public post or reel.
      </CallToAction>
    </div>
  );
}
