import type { ReactNode } from "react";
import { Scene } from "@/components/content/scene";
import { cn } from "@/lib/client/cn";

export interface Step {
  title: string;
  body: ReactNode;
}

const scenes = ["share", "check", "request", "wait"] as const;

/**
 * Renders the four steps, each with its scene. By default, wide screens have two columns with the scenes above the texts, and
 * phones have the scenes beside the texts. With `long`, each step has its own row: wide screens have the scene beside the text
 * and a line to the next step, phones have the scene below the heading.
 */
export function StepList({ steps, long = false }: { steps: readonly Step[]; long?: boolean }) {
  const Heading = long ? "h2" : "h3";
  return (
    <ol role="list" className={cn("grid gap-x-12", long ? "gap-y-12" : "gap-y-10 sm:grid-cols-2")}>
      {steps.map(({ title, body }, index) => (
        <li
          key={title}
          className={cn(
            "relative grid grid-rows-[auto_1fr] gap-x-4",
            long
              ? "grid-cols-[2rem_minmax(0,1fr)] lg:grid-cols-[2rem_minmax(0,36rem)_26rem]"
              : "grid-cols-[2rem_minmax(0,1fr)_22vw] content-start sm:grid-cols-[2rem_minmax(0,1fr)] sm:grid-rows-none",
          )}
        >
          <span
            aria-hidden="true"
            className={cn(
              "tabular-nums grid size-8 place-items-center rounded-full bg-primary-soft font-display text-sm font-bold text-primary",
              long ? "lg:mt-6" : "sm:row-start-2",
            )}
          >
            {index + 1}
          </span>
          <Heading
            className={cn(
              "col-start-2 self-center text-h3 leading-snug",
              long ? "lg:mt-6" : "sm:row-start-2",
            )}
          >
            {title}
          </Heading>
          <Scene
            name={scenes[index]!}
            className={
              long
                ? "col-span-2 my-3 h-36 w-full rounded border bg-card py-3 lg:col-span-1 lg:col-start-3 lg:row-span-2 lg:row-start-1 lg:my-0 lg:ms-12 lg:h-48 lg:py-5"
                : "col-start-3 row-span-2 w-full sm:col-start-2 sm:row-span-1 sm:row-start-1 sm:mb-4 sm:h-28 sm:w-auto sm:max-w-full"
            }
          />
          <div
            className={cn(
              "prose text-muted-foreground",
              long
                ? "col-span-2 [&>p:first-child]:text-foreground lg:col-span-1 lg:col-start-2 lg:mt-2"
                : "col-start-2 mt-1.5 text-balance",
            )}
          >
            {body}
          </div>
          {long && index < steps.length - 1 && (
            <span
              aria-hidden="true"
              className="absolute top-16 -bottom-16 left-4 -translate-x-1/2 border-l-2 max-lg:hidden"
            />
          )}
        </li>
      ))}
    </ol>
  );
}
