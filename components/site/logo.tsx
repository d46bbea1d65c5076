import { logoMark } from "@/lib/brand/brand";
import { pages } from "@/lib/http/pages";

/** Renders the logo and the site name as a link to the home page. app/icon.svg contains the same shapes. */
export function Logo({ siteName }: { siteName: string }) {
  return (
    <a
      href={pages.home.path}
      translate="no"
      className="inline-flex min-h-11 items-center gap-2.5 rounded font-display text-xl font-bold tracking-tight"
    >
      <svg
        viewBox={`0 0 ${logoMark.side} ${logoMark.side}`}
        aria-hidden="true"
        focusable="false"
        fill="none"
        className="size-8 shrink-0"
      >
        <rect width={logoMark.side} height={logoMark.side} rx={logoMark.radius} className="fill-primary" />
        <path d={logoMark.path} strokeWidth={logoMark.strokeWidth} className="stroke-primary-foreground" />
      </svg>
      {siteName}
    </a>
  );
}
