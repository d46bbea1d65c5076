import type { ComponentProps } from "react";
import { dotsPath, dotGrid } from "@/lib/brand/dot-grid";
import { cn } from "@/lib/client/cn";

export interface DotGridProps extends Omit<ComponentProps<"svg">, "children"> {
  /** How many of the fifty dots are filled, from the first one on. */
  filled: number;
  /** What it says in words. Without them it is for the eyes alone, and the words stand beside it. */
  label?: string;
}

/** A dot, as attributes of a line: large where filled, small where open, so that colour is not needed to tell. */
export const dotStyles = {
  filled: {
    strokeWidth: dotGrid.filledSize,
    className: "stroke-primary forced-colors:stroke-[CanvasText]",
  },
  open: {
    strokeWidth: dotGrid.openSize,
    className: "stroke-input forced-colors:stroke-[GrayText]",
  },
};

/** The product's picture: fifty dots, of which some are filled. */
export function DotGrid({ filled, label, className, ...props }: DotGridProps) {
  const newest = Math.max(0, filled - 1);
  return (
    <svg
      viewBox={dotGrid.viewBox}
      role={label && "img"}
      aria-label={label}
      aria-hidden={label === undefined}
      focusable="false"
      strokeLinecap="round"
      className={cn("shrink-0", className)}
      {...props}
    >
      <path d={dotsPath(filled, dotGrid.dots)} {...dotStyles.open} />
      <path d={dotsPath(0, newest)} {...dotStyles.filled} />
      {/* The one that has just been filled fades in: a new key is a new element. */}
      <g key={filled} className="animate-appear">
        <path d={dotsPath(newest, filled)} {...dotStyles.filled} />
      </g>
    </svg>
  );
}
