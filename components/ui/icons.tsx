import type { ReactNode, SVGProps } from "react";
import { cn } from "@/lib/client/cn";

/*
 * The few icons of the frame and the primitives, drawn here as plain markup: lucide-react's are client
 * components, and pages that do not hydrate use these.
 */

export type IconProps = Omit<SVGProps<SVGSVGElement>, "children">;

function icon(shape: ReactNode) {
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
        className={cn("size-5 shrink-0", className)}
        {...props}
      >
        {shape}
      </svg>
    );
  };
}

export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />);
export const ChevronDownIcon = icon(<path d="m6 9.5 6 6 6-6" />);
export const ArrowLeftIcon = icon(<path d="M20 12H4m6-6-6 6 6 6" />);
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.75v.01" />
  </>,
);
export const CircleCheckIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="m8 12.25 2.75 2.75L16 9.5" />
  </>,
);
export const WarningIcon = icon(
  <>
    <path d="M10.5 4.2 2.8 17.5A1.7 1.7 0 0 0 4.3 20h15.4a1.7 1.7 0 0 0 1.5-2.5L13.5 4.2a1.7 1.7 0 0 0-3 0Z" />
    <path d="M12 9.5V14M12 16.75v.01" />
  </>,
);
export const CircleAlertIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.5V13M12 16.25v.01" />
  </>,
);
