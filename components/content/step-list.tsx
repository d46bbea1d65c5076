import type { ReactNode } from "react";
import { Scene } from "@/components/content/scene";
import { cn } from "@/lib/client/cn";

export interface Step {
  title: string;
  body: ReactNode;
}

const scenes = ["share", "check", "request", "wait"] as const;

/** Classes of the list and of the parts of a step. */
const layouts = {
  short: {
    list: "gap-y-10 sm:grid-cols-2",
    step: "grid-cols-[2rem_minmax(0,1fr)_24vw] content-start sm:grid-cols-[2rem_minmax(0,1fr)] sm:grid-rows-none",
    number: "size-8 text-sm sm:row-start-2",
    title: "sm:row-start-2",
    scene: "col-start-3 row-span-2 sm:col-span-2 sm:col-start-1 sm:row-span-1 sm:row-start-1 sm:mb-4",
    drawing: "mx-auto h-[17.8vw] max-sm:mt-1 max-sm:stroke-2 max-sm:group-last:h-[21vw] sm:ms-0 sm:h-28",
    body: "col-start-2 mt-0.5 text-balance",
  },
  long: {
    list: "gap-y-12 lg:gap-y-10",
    step: "grid-cols-[2rem_minmax(0,1fr)] lg:grid-cols-[2.5rem_minmax(0,1fr)_28rem]",
    number: "row-span-2 size-8 text-sm lg:size-10 lg:text-lg",
    title: "self-start! pt-1.5 lg:pt-2",
    scene:
      "col-start-2 row-start-3 mt-4 flex h-32 justify-center overflow-hidden rounded bg-primary-soft [&_.fill-primary-soft]:fill-primary/25 lg:col-start-3 lg:row-span-2 lg:row-start-1 lg:mt-0 lg:h-36 lg:w-104 lg:justify-self-end",
    drawing: "h-39 shrink-0 group-last:my-auto group-last:h-29 lg:h-43 lg:group-last:h-32",
    body: "col-start-2 row-start-2 mt-2 [&>p:first-child]:text-foreground lg:mt-2",
  },
};

/**
 * Renders the four steps, each with its scene. By default, wide screens have two columns with the scenes above the texts, and
 * phones have the scenes beside the texts. With `long`, each step has its own row: wide screens have the scene beside the text
 * and a line to the next step, phones have the scene below it.
 */
export function StepList({ steps, long = false }: { steps: readonly Step[]; long?: boolean }) {
  const Heading = long ? "h2" : "h3";
  const layout = layouts[long ? "long" : "short"];
  return (
    <ol role="list" className={cn("grid gap-x-12", layout.list)}>
      {steps.map(({ title, body }, index) => (
        <li key={title} className={cn("group relative grid grid-rows-[auto_1fr] gap-x-3", layout.step)}>
          <span
            aria-hidden="true"
            className={cn(
              "tabular-nums grid place-items-center rounded-full bg-primary-soft font-display font-bold text-primary",
              layout.number,
            )}
          >
            {index + 1}
          </span>
          <Heading className={cn("col-start-2 self-center text-h3", layout.title)}>{title}</Heading>
          <div className={layout.scene}>
            <Scene name={scenes[index]!} className={layout.drawing} />
          </div>
          <div className={cn("prose text-muted-foreground", layout.body)}>{body}</div>
          {long && (
            <span
              aria-hidden="true"
              className="absolute top-10 -bottom-10 left-4 -translate-x-1/2 border-l-2 group-last:hidden lg:top-12 lg:-bottom-8 lg:left-5"
            />
          )}
        </li>
      ))}
    </ol>
  );
}
