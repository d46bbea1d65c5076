import type { ComponentProps } from "react";
import { dotsPath, dotGrid } from "@/lib/brand/dot-grid";
import { cn } from "@/lib/client/cn";

export interface DotGridProps extends Omit<ComponentProps<"svg">, "children"> {
  /** Number of filled dots, 0 to 50. */
  filled: number;
  /** Accessible name. Without a label, screen readers skip the picture. */
  label?: string;
}

/** SVG attributes of filled and open dots. Open dots are smaller, so they differ not only in colour. */
export const dotStyles = {
  filled: { strokeWidth: dotGrid.filledSize, className: "stroke-primary forced-colors:stroke-[CanvasText]" },
  open: { strokeWidth: dotGrid.openSize, className: "stroke-input forced-colors:stroke-[GrayText]" },
};

/** Renders fifty dots. `filled` is the number of filled dots. See docs/decisions/0019-dot-grid.md. */
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
      {/* A new `key` makes React create a new element, and each new element fades in. */}
      <g key={filled} className="animate-appear">
        <path d={dotsPath(newest, filled)} {...dotStyles.filled} />
      </g>
    </svg>
  );
}
