import { isValidElement, type ReactElement, type ReactNode } from "react";
import { PageIntro } from "@/components/content/page-intro";
import { ArrowRightIcon, ChevronDownIcon } from "lucide-react";
import { pageHeads } from "@/lib/content/page-heads";
import { formatDay } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";
import { pages, type Page } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { SitePage } from "../site-page";

interface SectionProps {
  id: string;
  title: string;
  /** Paragraphs and lists, or the text of a single paragraph. */
  children: ReactNode;
}

/** Holds a section of a legal page. LegalPage adds its number, and renders it. */
export function Section({ children }: SectionProps) {
  return children;
}

export interface LegalPageProps {
  page: "terms" | "privacy" | "disclaimer";
  lead: string;
  related: readonly Page[];
  children: ReactElement<SectionProps, typeof Section>[];
}

const tool = { path: pages.home.path, label: `Get ${limits.likesPerRequest} Free Likes` };

/** Renders a legal text with numbered sections, an index and links to related pages. */
export function LegalPage({ page, lead, related, children }: LegalPageProps) {
  const { buildDate } = getSiteSettings();
  const sections = children.map(({ props }) => props);
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
        <IndexedPage sections={sections}>
          {sections.map(({ id, title: heading, children: body }, index) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`} className="prose">
              {/* With large text on a phone, long words fit because of 11vw. */}
              <h2 id={`${id}-title`} className="text-[min(1.5rem,11vw)]">
                <span className="tabular-nums text-muted-foreground">{index + 1}.</span> {heading}
              </h2>
              {beginsWithBlock(body) ? body : <p>{body}</p>}
            </section>
          ))}
          <nav
            aria-labelledby="read-on"
            className="rounded border bg-card px-4 py-5 shadow sm:px-6 print:hidden"
          >
            <h2 id="read-on" className="text-h3">
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

function beginsWithBlock(body: ReactNode): boolean {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return isValidElement(first) && (first.type === "p" || first.type === "ul");
}

/** Renders sections and an index of the sections. On small screens, the index is collapsed at the top. */
function IndexedPage({ sections, children }: { sections: readonly SectionProps[]; children: ReactNode }) {
  const links = <IndexLinks sections={sections} />;
  return (
    <div className="grid grid-cols-1 gap-8 wrap-anywhere *:max-w-xl lg:grid-cols-[15rem_minmax(0,42rem)] lg:gap-16">
      <details className="group self-start rounded border bg-card lg:hidden print:hidden">
        <summary className="flex min-h-12 list-none items-center justify-between gap-3 rounded px-4 font-semibold [&::-webkit-details-marker]:hidden">
          On this page
          <ChevronDownIcon className="transition-transform group-open:rotate-180" />
        </summary>
        <nav aria-label="On this page" className="px-4 pb-3">
          {links}
        </nav>
      </details>
      <nav
        aria-label="On this page"
        className="sticky top-6 hidden max-h-[calc(100dvh-3rem)] self-start overflow-y-auto lg:block print:hidden"
      >
        <p className="pb-1 text-sm font-semibold">On this page</p>
        {links}
      </nav>
      <div className="flex min-w-0 flex-col gap-10">{children}</div>
    </div>
  );
}

function IndexLinks({ sections }: { sections: readonly SectionProps[] }) {
  return (
    <ol role="list" className="text-sm">
      {sections.map(({ id, title }, index) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="flex min-h-9 items-baseline gap-2 rounded py-1.5 text-muted-foreground hover:text-primary hover:underline"
          >
            <span className="tabular-nums w-6 shrink-0 text-right whitespace-nowrap">{index + 1}.</span>
            {title}
          </a>
        </li>
      ))}
    </ol>
  );
}
