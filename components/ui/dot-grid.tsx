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
  /** Says what the dots show. */
  caption: string;
};

export const openDots: Dots = { state: "open", caption: "Nothing requested" };
export const unconfirmedDots: Dots = {
  state: "requested",
  caption: `${limits.likesPerRequest} requested, not confirmed yet`,
};

/** Classes of the grid on its pale ground. Step 3 and the receipt share them, so that the grid keeps its place. */
export const panelGrid =
  "h-34 w-full rounded bg-primary-soft px-3 py-2.5 [--hole:var(--primary-soft)] sm:h-57 sm:py-6";

export interface DotGridProps {
  dots: Dots;
  /** True shows the caption below the dots. Browsers translate this text, but not the `aria-label`. */
  captioned?: boolean;
  className?: string;
}

/**
 * Renders fifty dots. Open dots are decoration, because nothing was requested. A page can have one grid only, because
 * app/globals.css moves the grid between pages by its name.
 */
export function DotGrid({ dots: { state, caption }, captioned, className }: DotGridProps) {
  return (
    <>
      <svg
        viewBox={dotGrid.viewBox}
        {...(state === "open"
          ? { "aria-hidden": true }
          : { role: "img", "aria-label": caption, "aria-labelledby": captioned ? "caption" : undefined })}
        strokeLinecap="round"
        data-dots={state}
        className={cn("shrink-0", className)}
      >
        <path d={dotGrid.path} strokeWidth={state === "open" ? dotGrid.openSize : dotGrid.filledSize} />
        {/* The holes of the rings. */}
        <path d={dotGrid.path} strokeWidth={state === "requested" ? dotGrid.holeSize : 0} />
      </svg>
      {captioned && (
        // Screen readers read the caption as the name of the picture.
        <p
          id="caption"
          aria-hidden="true"
          className={cn(
            "flex items-center justify-center gap-3 text-center",
            state === "accepted"
              ? "pt-2 font-display text-2xl leading-tight font-bold text-success sm:text-h2"
              : "text-sm text-muted-foreground",
          )}
        >
          {state === "accepted" && (
            <CheckIcon className="size-7 rounded-full bg-success stroke-[2.5]! p-1 text-card sm:size-8" />
          )}
          <span>{caption}</span>
        </p>
      )}
    </>
  );
}
