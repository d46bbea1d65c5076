import type { BuildSettings } from "@/lib/config/build-settings";
import { pages } from "./routes";

/*
 * The content security policy of pages. Prerendered pages have no inline scripts and carry theirs in a <meta>, written
 * after the build; pages rendered per request get it as a header with a nonce. What a <meta> cannot say (frame-ancestors)
 * and what holds for every answer is in `commonPolicy`, a header; both apply.
 */

type Directives = Record<string, string[]>;

/** Holds for every answer, pages included. */
export const commonPolicy = serialize({
  "frame-ancestors": ["'none'"],
  "base-uri": ["'none'"],
  "object-src": ["'none'"],
  "form-action": ["'self'"],
});

/** For answers that are no documents: data of the API, which nothing may run in. */
export const dataPolicy = serialize({ "default-src": ["'none'"], "frame-ancestors": ["'none'"] });

/**
 * The policy of a page. Takes the settings of the build (providers widen it only where they are configured), the
 * page's path, and the nonce that vouches for the inline scripts of one that is rendered per request.
 */
export function pagePolicy(build: BuildSettings, path: string, nonce?: string): string {
  if (hasAdUnit(build, path)) return adPolicy;
  const directives: Directives = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...(nonce ? [`'nonce-${nonce}'`] : [])],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:", ...lookupImages(build)],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "worker-src": ["'self'"],
    "manifest-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
  };
  for (const widening of [captchaSources[build.CAPTCHA_PROVIDER], build.GTM_ID && tagSources]) {
    for (const [name, sources] of Object.entries(widening || {})) (directives[name] ??= []).push(...sources);
  }
  return serialize(directives);
}

/** https://developers.google.com/recaptcha/docs/faq, https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
const captchaSources: Record<BuildSettings["CAPTCHA_PROVIDER"], Directives> = {
  altcha: {},
  recaptcha: {
    "script-src": ["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"],
    "frame-src": ["https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"],
    "connect-src": ["https://www.google.com/recaptcha/"],
  },
  turnstile: {
    "script-src": ["https://challenges.cloudflare.com"],
    "frame-src": ["https://challenges.cloudflare.com"],
  },
};

/**
 * Google Tag Manager with Google Analytics 4. Custom HTML tags are not among them: they would need inline scripts.
 * https://developers.google.com/tag-platform/security/guides/csp
 */
const tagSources: Directives = {
  "script-src": ["https://www.googletagmanager.com"],
  "img-src": ["https://www.googletagmanager.com", "https://*.google-analytics.com"],
  "connect-src": [
    "https://www.googletagmanager.com",
    "https://*.google-analytics.com",
    "https://*.analytics.google.com",
  ],
};

/**
 * Pages with an ad: AdSense runs under no list of hosts. Its documented policy stands on nonces, which a page that
 * is the same for everybody cannot have; this is what that policy comes to for browsers without them.
 * https://support.google.com/adsense/answer/16283098
 */
const adPolicy = serialize({
  "default-src": ["'none'"],
  "script-src": ["'self'", "'unsafe-inline'", "'unsafe-eval'", "https:"],
  "style-src": ["'self'", "'unsafe-inline'", "https:"],
  "img-src": ["'self'", "data:", "https:"],
  "font-src": ["'self'", "data:", "https:"],
  "connect-src": ["'self'", "https:"],
  "frame-src": ["https:"],
  "worker-src": ["'self'", "blob:"],
  "manifest-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'self'"],
});

function hasAdUnit(build: BuildSettings, path: string): boolean {
  if (path === pages.home.path) return build.ADS_SLOT_TOOL !== undefined;
  return path === pages.getLikes.path && build.ADS_SLOT_HEADER !== undefined;
}

function lookupImages({ POST_LOOKUP, POST_LOOKUP_IMAGE_HOSTS }: BuildSettings): string[] {
  return POST_LOOKUP === "http" ? POST_LOOKUP_IMAGE_HOSTS.map((host) => `https://${host}`) : [];
}

function serialize(directives: Directives): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
