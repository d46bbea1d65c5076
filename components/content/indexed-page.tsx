import type { ReactNode } from "react";
import { ChevronDownIcon } from "lucide-react";

export interface IndexEntry {
  id: string;
  title: string;
}

/** Renders sections and an index of the sections. On small screens, the index is collapsed at the top. */
export function IndexedPage({ entries, children }: { entries: readonly IndexEntry[]; children: ReactNode }) {
  const links = <IndexLinks entries={entries} />;
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

function IndexLinks({ entries }: { entries: readonly IndexEntry[] }) {
  return (
    <ol role="list" className="text-sm">
      {entries.map(({ id, title }, index) => (
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
