import type { ReactNode, SVGProps } from "react";
import { cn } from "@/lib/client/cn";

export type IconProps = Omit<SVGProps<SVGSVGElement>, "children">;

/** Returns an icon component for SVG shapes in a 24 x 24 view box. Screen readers skip the icon. */
export function createIcon(shape: ReactNode) {
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
        className={cn("preset:size-5 shrink-0", className)}
        {...props}
      >
        {shape}
      </svg>
    );
  };
}
