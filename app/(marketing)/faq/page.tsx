import { CallToAction } from "@/components/content/call-to-action";
import { PageIntro } from "@/components/content/page-intro";
import { QuestionList } from "@/components/content/question-list";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { getFaqGroups } from "@/lib/content/faq";
import type { QuestionGroup } from "@/lib/content/question";
import { limits } from "@/lib/config/limits";
import { pages } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";

export const metadata = pageMetadata("faq");

/** Renders the Help Center with four tabs. Without JavaScript, the page shows sections instead of tabs. */
export default function FaqPage() {
  const { demoMode, operator } = getSiteSettings();
  const groups = getFaqGroups(demoMode !== null, operator);
  return (
    <SitePage name="faq">
      <div className="page-width flex flex-col gap-8 py-8 sm:gap-10 sm:py-12">
        <PageIntro title="Help Center">
          Frequently asked questions, in four parts. Choose a question to read its answer.
        </PageIntro>
        <div className="grid grid-cols-1 gap-y-8 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-12 lg:*:not-first:col-start-2">
          <SectionTabs sections={groups} />
          {groups.map(({ id, title, questions }) => (
            <section
              key={id}
              id={id}
              aria-labelledby={`${id}-title`}
              className="flex scroll-mt-6 flex-col gap-4"
            >
              <h2 id={`${id}-title`}>{title}</h2>
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
        </div>
        <CallToAction
          title="Ready when you are"
          action={{ href: pages.home.path, label: `Get ${limits.likesPerRequest} Free Likes Now` }}
        >
          All you need is the link of a public post or reel.
        </CallToAction>
      </div>
    </SitePage>
  );
}

/** Renders links that the site script turns into tabs. The sections must be later siblings of this list. */
function SectionTabs({ sections }: { sections: readonly QuestionGroup[] }) {
  return (
    <ul
      data-tabs
      role="list"
      aria-label="Parts of the Help Center"
      suppressHydrationWarning
      className="grid grid-cols-pairs gap-1 rounded border bg-muted p-1 text-sm font-medium sm:grid-cols-4 lg:sticky lg:top-6 lg:row-span-2 lg:grid-cols-1 lg:self-start"
    >
      {sections.map(({ id, title }) => (
        <li key={id} className="flex" suppressHydrationWarning>
          <a
            href={`#${id}`}
            suppressHydrationWarning
            className="flex min-h-11 flex-1 items-center justify-center rounded-[calc(var(--radius)-0.25rem)] border border-transparent px-2 py-1.5 text-center wrap-anywhere text-muted-foreground transition-colors hover:text-primary aria-selected:border-input aria-selected:bg-card aria-selected:text-foreground aria-selected:shadow lg:justify-start lg:text-left forced-colors:aria-selected:outline"
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}
