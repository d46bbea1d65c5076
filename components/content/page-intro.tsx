import type { ReactNode } from "react";

/** Renders the h1 heading and the introduction of a content page. */
export function PageIntro({ title, children }: { title: string; children: ReactNode }) {
  return (
    <header className="flex max-w-column flex-col gap-3">
      <h1>{title}</h1>
      <p className="text-lg text-balance text-muted-foreground">{children}</p>
    </header>
  );
}
