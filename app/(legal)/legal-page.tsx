import type { ReactNode } from "react";
import { IndexedPage, type IndexEntry } from "@/components/content/indexed-page";
import { PageIntro } from "@/components/content/page-intro";
import { ArrowRightIcon } from "lucide-react";
import { pageHeads } from "@/lib/content/page-heads";
import { formatDay } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";
import { pages, type Page } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { SitePage } from "../site-page";

export interface LegalSection extends IndexEntry {
  body: ReactNode;
}

export interface LegalPageProps {
  page: "terms" | "privacy" | "disclaimer";
  lead: ReactNode;
  sections: readonly LegalSection[];
  related: readonly Page[];
}

const tool = { path: pages.home.path, label: `Get ${limits.likesPerRequest} Free Likes` };

/** Renders a legal text with numbered sections, an index and links to related pages. */
export function LegalPage({ page, lead, sections, related }: LegalPageProps) {
  const { buildDate } = getSiteSettings();
  return (
    <SitePage name={page}>
      <article className="page-width flex flex-col gap-8 py-8 sm:py-12">
        <div className="flex flex-col gap-4">
          <PageIntro title={pageHeads[page].title}>{lead}</PageIntro>
          <p className="text-sm text-muted-foreground">
            Last updated:{" "}
            {/* components/site/script/site.ts replaces the build date with the current date. */}
            <time dateTime={buildDate} data-today="" suppressHydrationWarning>
              {formatDay(buildDate)}
            </time>
          </p>
        </div>
        <IndexedPage entries={sections}>
          {sections.map(({ id, title: heading, body }, index) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`} className="prose">
              {/* With large text on a phone, long words fit because of 11vw. */}
              <h2 id={`${id}-title`} className="text-[min(1.5rem,11vw)]">
                <span className="tabular-nums text-muted-foreground">{index + 1}.</span> {heading}
              </h2>
              {typeof body === "string" ? <p>{body}</p> : body}
            </section>
          ))}
          <nav
            aria-labelledby="read-on"
            className="rounded border bg-card px-4 py-5 shadow sm:px-6 print:hidden"
          >
            <h2 id="read-on" className="text-xl">
              Read on
            </h2>
            <ul role="list" className="mt-2">
              {[...related, tool].map(({ path, label }) => (
                <li key={path}>
                  <a href={path} className="link inline-flex min-h-11 items-center gap-1.5 font-medium">
                    {label}
                    <ArrowRightIcon className="size-4" />
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </IndexedPage>
      </article>
    </SitePage>
  );
}
