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
 * phones have the scenes beside the texts. With `long`, each step has its own row, whose scene is beside the text on wide screens.
 */
export function StepList({ steps, long = false }: { steps: readonly Step[]; long?: boolean }) {
  const Heading = long ? "h2" : "h3";
  return (
    <ol role="list" className={cn("grid gap-x-12", long ? "gap-y-12" : "gap-y-10 sm:grid-cols-2")}>
      {steps.map(({ title, body }, index) => (
        <li
          key={title}
          className={cn(
            "flex min-w-0 flex-col gap-4",
            long ? "lg:grid lg:grid-cols-column-aside lg:gap-x-12" : "max-sm:flex-row-reverse",
          )}
        >
          <Scene
            name={scenes[index]!}
            className={
              long
                ? "h-36 w-full rounded border bg-card py-3 lg:order-1 lg:h-48 lg:py-6"
                : "w-[22vw] shrink-0 self-start sm:ms-12 sm:h-28 sm:w-auto sm:max-w-[calc(100%-3rem)]"
            }
          />
          <div className={cn("flex min-w-0 flex-1 gap-4", long && "lg:self-center")}>
            <span
              aria-hidden="true"
              className="tabular-nums grid size-8 shrink-0 place-items-center rounded-full bg-primary-soft font-display text-sm font-bold text-primary"
            >
              {index + 1}
            </span>
            <div className="flex min-w-0 flex-col gap-1.5">
              <Heading className="pt-0.5 text-h3 leading-snug">{title}</Heading>
              <div className={cn("prose text-muted-foreground", !long && "text-balance")}>{body}</div>
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}
