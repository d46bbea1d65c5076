import { CheckIcon } from "lucide-react";
import { dotGrid } from "@/lib/brand/dot-grid";
import { cn } from "@/lib/client/cn";
import { limits } from "@/lib/config/limits";

/** State of the fifty likes. See docs/decisions/0018-dot-grid.md. */
export type Dots = {
  /**
   * "open": nothing was sent. "requested": the request is on its way, or nothing confirms it. "accepted": the
   * delivery service accepted the order.
   */
  state: "open" | "requested" | "accepted";
  /** Says what the dots show. Open dots need no caption. */
  caption: string;
};

export const openDots: Dots = { state: "open", caption: "" };
export const unconfirmedDots: Dots = {
  state: "requested",
  caption: `${limits.likesPerRequest} requested, not confirmed yet`,
};

interface DotGridProps {
  dots: Dots;
  /** True draws the grid for `DotPanel`, whose caption names it. */
  panel?: boolean;
  className?: string;
}

/**
 * Renders fifty dots. Open dots are decoration, because nothing was requested. A page can have one grid only, because
 * app/globals.css moves the grid between pages by its name.
 */
export function DotGrid({ dots: { state, caption }, panel, className }: DotGridProps) {
  const { path, viewBox } = panel ? dotGrid.panel : dotGrid;
  return (
    <svg
      viewBox={viewBox}
      {...(state === "open"
        ? { "aria-hidden": true }
        : { role: "img", "aria-label": caption, "aria-labelledby": panel ? "caption" : undefined })}
      strokeLinecap="round"
      data-dots={state}
      className={cn("shrink-0", className)}
    >
      <path d={path} strokeWidth={state === "open" ? dotGrid.openSize : dotGrid.filledSize} />
      {/* The holes of the rings. */}
      <path d={path} strokeWidth={state === "requested" ? dotGrid.holeSize : 0} />
    </svg>
  );
}

/**
 * Renders the grid on a pale ground, with its caption: below it, or beside it if there is room. Step 3 and the receipt share
 * it, so that the grid keeps its place. `busy` is for step 3: true while its progress runs.
 */
export function DotPanel({ dots, busy }: { dots: Dots; busy?: boolean }) {
  const { state, caption } = dots;
  return (
    <div className="@container">
      <div
        className={cn(
          "flex flex-col gap-2 @lg:h-52 @lg:flex-row @lg:items-center @lg:gap-5 @lg:rounded @lg:bg-primary-soft @lg:ps-6 @lg:pe-4 [--hole:var(--primary-soft)]",
          busy && "@lg:sweep",
        )}
      >
        <DotGrid
          dots={dots}
          panel
          className={cn(
            "@max-lg:h-34 @max-lg:rounded @max-lg:bg-primary-soft @max-lg:p-2.5 @lg:w-92",
            busy && "@max-lg:sweep",
          )}
        />
        {/* Browsers translate this text, but not an `aria-label`. Screen readers read it as the name of the picture. */}
        {caption && (
          <p
            id="caption"
            aria-hidden="true"
            className={cn(
              state === "accepted"
                ? "flex items-center gap-x-3 gap-y-2 pt-3 font-display text-2xl leading-tight font-bold text-success @lg:flex-col @lg:items-start @lg:pt-0"
                : "min-h-10 text-sm leading-5 text-pretty text-muted-foreground @lg:leading-6",
              // Appears with the last column of dots.
              busy !== undefined && state === "accepted" && "transition-opacity delay-500 starting:opacity-0",
            )}
          >
            {state === "accepted" && (
              <CheckIcon className="size-7 rounded-full bg-success stroke-[2.5]! p-1 text-card @lg:size-8" />
            )}
            <span>{caption}</span>
          </p>
        )}
      </div>
    </div>
  );
}
