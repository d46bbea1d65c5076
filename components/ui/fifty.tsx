import type { ComponentProps } from "react";
import { dotsPath, fifty } from "@/lib/fifty";
import { cn } from "@/lib/client/cn";

export interface FiftyProps extends Omit<ComponentProps<"svg">, "children"> {
  /** How many of the fifty dots are filled, from the first one on. */
  filled: number;
  /** What it says in words. Without them it is for the eyes alone, and the words stand beside it. */
  label?: string;
}

/** A dot, as attributes of a line: large where filled, small where open, so that colour is not needed to tell. */
export const dotLook = {
  filled: {
    strokeWidth: fifty.filledSize,
    className: "stroke-primary forced-colors:stroke-[CanvasText]",
  },
  open: {
    strokeWidth: fifty.openSize,
    className: "stroke-input forced-colors:stroke-[GrayText]",
  },
};

/** The product's picture: fifty dots, of which some are filled. */
export function Fifty({ filled, label, className, ...props }: FiftyProps) {
  const newest = Math.max(0, filled - 1);
  return (
    <svg
      viewBox={fifty.viewBox}
      role={label && "img"}
      aria-label={label}
      aria-hidden={label === undefined}
      focusable="false"
      strokeLinecap="round"
      className={cn("shrink-0", className)}
      {...props}
    >
      <path d={dotsPath(filled, fifty.dots)} {...dotLook.open} />
      <path d={dotsPath(0, newest)} {...dotLook.filled} />
      {/* The one that has just been filled fades in: a new key is a new element. */}
      <g key={filled} className="animate-appear">
        <path d={dotsPath(newest, filled)} {...dotLook.filled} />
      </g>
    </svg>
  );
}
