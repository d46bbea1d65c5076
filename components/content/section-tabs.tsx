import type { IndexEntry } from "@/components/content/indexed-page";

/** Renders links that the site script turns into tabs. The sections must be later siblings of this list. */
export function SectionTabs({ label, sections }: { label: string; sections: readonly IndexEntry[] }) {
  return (
    <ul
      data-tabs
      role="list"
      aria-label={label}
      suppressHydrationWarning
      className="grid grid-cols-fit gap-1 rounded border bg-muted p-1 text-sm font-medium sm:grid-cols-4 lg:sticky lg:top-6 lg:row-span-2 lg:grid-cols-1 lg:self-start"
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
