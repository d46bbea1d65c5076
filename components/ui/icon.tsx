import type { ReactNode, SVGProps } from "react";
import { cn } from "@/lib/client/cn";

export type IconProps = Omit<SVGProps<SVGSVGElement>, "children">;

/** Makes an icon of its shape: 24 units wide and high, drawn in lines of the text's colour, unseen by screen readers. */
export function icon(shape: ReactNode) {
  return function Icon({ className, ...props }: IconProps) {
    return (
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
        className={cn("preset:size-5 shrink-0", className)}
        {...props}
      >
        {shape}
      </svg>
    );
  };
}
