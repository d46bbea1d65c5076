import type { BuildSettings } from "@/lib/config/build-settings";
import { commonPolicy, dataPolicy } from "./content-security-policy";
import { aliases, indexablePages, pages } from "./routes";

/*
 * The headers of all answers, in one table. The process sends them (next.config.ts), and the web server that serves the
 * finished files in its place (scripts/lib/web-folder.ts); a page rendered for one visitor sets its own Cache-Control.
 */

export interface HeaderRule {
  /** The paths it is for: one, with or without a trailing slash, or all that begin with what stands before "*". */
  path: string;
  headers: Record<string, string>;
}

/** How long caches may keep what: `max-age` is the browser's, `s-maxage` that of caches in front of the site. */
export const cacheControl = {
  /** The same for everybody, and out of date with the next release. */
  content: "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
  /** No shared cache: it would hand the page to visitors whose flow a visit has to end. */
  home: "public, max-age=0, must-revalidate",
  /** What depends on who asks. */
  personal: "private, no-store",
  /** The file's name changes with its content. */
  hashed: "public, max-age=31536000, immutable",
} as const;

/** The table for a build: a later rule for the same header of the same path wins. */
export function headerRules(build: BuildSettings): HeaderRule[] {
  return [
    { path: "/*", headers: everywhere(build) },
    ...[...indexablePages.map(({ path }) => path), ...Object.keys(aliases)].map((path) => ({
      path,
      headers: { "Cache-Control": path === pages.home.path ? cacheControl.home : cacheControl.content },
    })),
    { path: "/api/*", headers: { "Content-Security-Policy": dataPolicy } },
    { path: "/site/*", headers: { "Cache-Control": cacheControl.hashed } },
    // Other sites show them beside a link to a page.
    { path: "/share-images/*", headers: { "Cross-Origin-Resource-Policy": "cross-origin" } },
  ];
}

/** What the table says of one path. */
export function headersOf(path: string, rules: readonly HeaderRule[]): Record<string, string> {
  const matching = rules.filter((rule) =>
    rule.path.endsWith("*") ? path.startsWith(rule.path.slice(0, -1)) : rule.path === path,
  );
  return Object.assign({}, ...matching.map(({ headers }) => headers)) as Record<string, string>;
}

/** Prerendered pages carry a policy of their own on top of the common one. */
function everywhere(build: BuildSettings): Record<string, string> {
  return {
    "Content-Security-Policy": commonPolicy,
    "X-Content-Type-Options": "nosniff",
    // For browsers that do not know frame-ancestors.
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy":
      "accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(build.SITE_URL.startsWith("https:") && { "Strict-Transport-Security": "max-age=63072000" }),
    ...(build.DEPLOYMENT !== "production" && { "X-Robots-Tag": "noindex" }),
  };
}
