import type { BuildSettings } from "@/lib/config/build-settings";
import { commonPolicy, dataPolicy } from "./content-security-policy";
import { aliases, indexablePages, pages } from "./routes";

/* Next (next.config.ts) and the web server (scripts/lib/web-folder.ts) both send these headers. */

export interface HeaderRule {
  /** A single path, which also matches with a trailing slash, or a prefix followed by "*". */
  path: string;
  headers: Record<string, string>;
}

/** Cache-Control values: `max-age` applies to browsers, `s-maxage` to shared caches such as a CDN. */
export const cacheControl = {
  /** Pages with the same content for all visitors; the content may change with each release. */
  content: "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
  /** No shared cache for the home page: the server must end the visitor's flow on each visit. */
  home: "public, max-age=0, must-revalidate",
  personal: "private, no-store",
  hashed: "public, max-age=31536000, immutable",
} as const;

/** Returns the header rules of a build. For the same header and path, the last rule wins. */
export function headerRules(build: BuildSettings): HeaderRule[] {
  return [
    { path: "/*", headers: commonHeaders(build) },
    ...[...indexablePages.map(({ path }) => path), ...Object.keys(aliases)].map((path) => ({
      path,
      headers: { "Cache-Control": path === pages.home.path ? cacheControl.home : cacheControl.content },
    })),
    { path: "/api/*", headers: { "Content-Security-Policy": dataPolicy } },
    { path: "/site/*", headers: { "Cache-Control": cacheControl.hashed } },
    // Other sites embed the share images in link previews.
    { path: "/share-images/*", headers: { "Cross-Origin-Resource-Policy": "cross-origin" } },
  ];
}

/** Returns the headers for a path; later rules override earlier rules. */
export function headersForPath(path: string, rules: readonly HeaderRule[]): Record<string, string> {
  const matching = rules.filter((rule) =>
    rule.path.endsWith("*") ? path.startsWith(rule.path.slice(0, -1)) : rule.path === path,
  );
  return Object.assign({}, ...matching.map(({ headers }) => headers)) as Record<string, string>;
}

/** Returns the headers of every response. Prerendered pages add a second policy in a <meta> element. */
function commonHeaders(build: BuildSettings): Record<string, string> {
  return {
    "Content-Security-Policy": commonPolicy,
    "X-Content-Type-Options": "nosniff",
    // For browsers without support for frame-ancestors.
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
