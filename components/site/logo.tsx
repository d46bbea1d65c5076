import { cn } from "@/lib/client/cn";
import { mark } from "@/lib/mark";
import { pages } from "@/lib/routes";

export interface LogoProps {
  siteName: string;
  className?: string;
}

/** The mark and the name, as the way home. The mark (lib/mark.ts) is also app/icon.svg. */
export function Logo({ siteName, className }: LogoProps) {
  return (
    <a
      href={pages.home.path}
      className={cn(
        "inline-flex min-h-11 items-center gap-2.5 rounded font-display text-xl font-bold tracking-tight",
        className,
      )}
    >
      <svg
        viewBox={`0 0 ${mark.side} ${mark.side}`}
        aria-hidden="true"
        focusable="false"
        strokeLinecap="round"
        className="size-8 shrink-0"
      >
        <rect width={mark.side} height={mark.side} rx={mark.radius} className="fill-primary" />
        <path d={mark.path} strokeWidth={mark.dotSize} className="stroke-primary-foreground" />
      </svg>
      {siteName}
    </a>
  );
}
