import { getDemoMode, type BuildSettings } from "../config/build-settings";
import { commonPolicy, dataPolicy } from "./content-security-policy";
import { isLoopback } from "./loopback";
import { aliases, indexablePages } from "./pages";

/* Response headers for Next.js (next.config.ts) and for static web servers (scripts/lib/web-folder.ts). */

export interface HeaderRule {
  /** A path, with or without a trailing slash, or a prefix with "*" such as "/api/*". */
  path: string;
  headers: Record<string, string>;
}

/** Cache-Control values: `max-age` applies to browsers, `s-maxage` to shared caches such as a CDN. */
export const cacheControl = {
  /** Pages that are the same for all visitors. A release may change them. */
  content: "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
  personal: "private, no-store",
  hashed: "public, max-age=31536000, immutable",
} as const;

/**
 * Returns the header rules of a build. If several rules set a header for a path, the last rule applies.
 *
 * @param pageHeaders further headers of the pages that are the same for all visitors
 */
export function headerRules(build: BuildSettings, pageHeaders: Record<string, string> = {}): HeaderRule[] {
  const headers = {
    "Cache-Control": cacheControl.content,
    "Speculation-Rules": '"/speculation-rules.json"',
    ...pageHeaders,
  };
  return [
    { path: "/*", headers: commonHeaders(build) },
    ...indexablePages.map(({ path }) => ({ path, headers })),
    ...Object.keys(aliases).map((path) => ({ path, headers })),
    { path: "/api/*", headers: { "Content-Security-Policy": dataPolicy } },
    { path: "/site/*", headers: { "Cache-Control": cacheControl.hashed } },
    // Other sites embed the share images in link previews.
    { path: "/share-images/*", headers: { "Cross-Origin-Resource-Policy": "cross-origin" } },
  ];
}

/** Returns the headers for a path. If several rules set the same header, the last rule applies. */
export function headersForPath(path: string, rules: readonly HeaderRule[]): Record<string, string> {
  const matching = rules.filter((rule) =>
    rule.path.endsWith("*") ? path.startsWith(rule.path.slice(0, -1)) : rule.path === path,
  );
  return Object.assign({}, ...matching.map(({ headers }) => headers)) as Record<string, string>;
}

/** Returns the headers of all responses. Prerendered pages have a second CSP in a <meta> element. */
function commonHeaders(build: BuildSettings): Record<string, string> {
  return {
    "Content-Security-Policy": commonPolicy,
    "X-Content-Type-Options": "nosniff",
    // Older browsers do not support the CSP directive frame-ancestors, but they support X-Frame-Options.
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy":
      "accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(build.SITE_URL.startsWith("https:") && { "Strict-Transport-Security": "max-age=63072000" }),
    ...(isHiddenFromSearch(build) && { "X-Robots-Tag": "noindex" }),
  };
}

/**
 * Returns true for previews, and for demo sites with a public address, because a demo does not do what its titles
 * promise. On this machine, a demo has the metadata of a live site.
 */
function isHiddenFromSearch(build: BuildSettings): boolean {
  if (build.DEPLOYMENT === "preview") return true;
  const { hostname } = new URL(build.SITE_URL);
  return getDemoMode(build) !== null && !isLoopback(hostname) && !hostname.endsWith(".localhost");
}
