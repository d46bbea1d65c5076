import type { ComponentProps } from "react";
import { dotsPath, dotGrid } from "@/lib/brand/dot-grid";
import { cn } from "@/lib/client/cn";

/**
 * State of the fifty likes. "open": nothing was sent. "requested": the request is on its way, or nothing confirms it.
 * "accepted": the delivery service accepted the order.
 */
export type DotState = "open" | "requested" | "accepted";

export interface DotGridProps extends Omit<ComponentProps<"svg">, "children"> {
  state: DotState;
  /** Accessible name. Without a label, screen readers skip the picture. */
  label?: string;
}

/** SVG attributes of small and large dots. They differ in size, so that they differ not only in colour. */
export const dotStyles = {
  open: { strokeWidth: dotGrid.openSize, className: "stroke-input forced-colors:stroke-[GrayText]" },
  filled: { strokeWidth: dotGrid.filledSize, className: "stroke-primary forced-colors:stroke-[CanvasText]" },
};

/** Renders fifty dots in one state, on a Card component. See docs/decisions/0033-grammar-of-the-dots.md. */
export function DotGrid({ state, label, className, ...props }: DotGridProps) {
  const dots = dotsPath(0, dotGrid.dots);
  const style = dotStyles[state === "open" ? "open" : "filled"];
  return (
    <svg
      viewBox={dotGrid.viewBox}
      role={label && "img"}
      aria-label={label}
      aria-hidden={label === undefined}
      strokeLinecap="round"
      data-dots={state}
      className={cn("shrink-0", className)}
      {...props}
    >
      {/* A new `key` makes React create a new element, and each new element appears with its animation. */}
      <path
        key={state}
        d={dots}
        strokeWidth={style.strokeWidth}
        className={cn(style.className, state === "accepted" && "animate-appear")}
      />
      {/* Turns the dots into circles. */}
      {state === "requested" && (
        <path d={dots} strokeWidth={dotGrid.holeSize} className="stroke-card forced-colors:stroke-[Canvas]" />
      )}
    </svg>
  );
}
