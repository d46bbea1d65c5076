import type { ReactNode } from "react";

export interface Step {
  title: string;
  body: ReactNode;
}

/** Renders numbered steps. `level` is the heading element of each step. */
export function StepList({ steps, level: Heading = "h3" }: { steps: readonly Step[]; level?: "h2" | "h3" }) {
  return (
    <ol role="list" className="flex flex-col">
      {steps.map(({ title, body }, index) => (
        <li key={title} className="group relative flex gap-4 pb-7 last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-11 bottom-1 left-[1.1875rem] border-l border-input group-last:hidden"
          />
          <span
            aria-hidden="true"
            className="tabular-nums grid size-10 shrink-0 place-items-center rounded-full border border-transparent bg-primary-soft font-display text-lg font-bold text-primary"
          >
            {index + 1}
          </span>
          <div className="flex min-w-0 flex-col gap-1.5 pt-1.5">
            <Heading className="text-xl">{title}</Heading>
            <div className="prose text-muted-foreground">{body}</div>
          </div>
        </li>
      ))}
    </ol>
  );
}
