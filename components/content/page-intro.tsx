import type { ReactNode } from "react";

/** The heading of a content page, and what the page is about in a sentence or two. */
export function PageIntro({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="flex max-w-column flex-col gap-3">
      <h1 className="text-4xl sm:text-5xl">{title}</h1>
      {children && <div className="text-lg text-muted-foreground">{children}</div>}
    </header>
  );
}
