import { cn } from "@/lib/client/cn";
import { pages } from "@/lib/routes";

export interface LogoProps {
  siteName: string;
  className?: string;
}

/** The mark and the name, as the way home. The mark is also app/icon.svg. */
export function Logo({ siteName, className }: LogoProps) {
  return (
    <a
      href={pages.home.path}
      className={cn(
        "inline-flex min-h-11 items-center gap-2.5 rounded font-display text-xl font-bold tracking-tight",
        className,
      )}
    >
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false" className="size-8 shrink-0">
        <rect width="32" height="32" rx="9" className="fill-primary" />
        <path
          d="m9 16.5 7-7 7 7M9 23l7-7 7 7"
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-primary-foreground"
        />
      </svg>
      {siteName}
    </a>
  );
}
