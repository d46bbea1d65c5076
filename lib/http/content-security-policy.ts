import type { BuildSettings } from "@/lib/config/build-settings";
import { pages } from "./pages";

/* Content security policies. Pages contain their policy in a <meta> element. */

type Directives = Record<string, string[]>;

/** Default policy header. Sets frame-ancestors here, because browsers ignore it in a <meta> element. */
export const commonPolicy = serialize({
  "frame-ancestors": ["'none'"],
  "base-uri": ["'none'"],
  "object-src": ["'none'"],
  "form-action": ["'self'"],
});

/** Policy header of API responses. If a browser opens a response as a page, nothing can load or run. */
export const dataPolicy = serialize({ "default-src": ["'none'"], "frame-ancestors": ["'none'"] });

/** Returns the policy of a page. The policy allows no inline scripts, except on pages with ads. */
export function pagePolicy(build: BuildSettings, path: string): string {
  const directives: Directives = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "worker-src": ["'self'"],
    "manifest-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
  };
  const { CAPTCHA_PROVIDER, GTM_ID } = build;
  const usual = [{ "img-src": lookupImages(build) }, captchaSources[CAPTCHA_PROVIDER], GTM_ID && tagSources];
  for (const extra of hasAdUnit(build, path) ? [adSources] : usual)
    for (const [name, sources] of Object.entries(extra || {})) (directives[name] ??= []).push(...sources);
  return serialize(directives);
}

// Google and Cloudflare document these sources: https://developers.google.com/recaptcha/docs/faq
// https://developers.cloudflare.com/turnstile/reference/content-security-policy/
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

// Sources for Google Tag Manager and Google Analytics 4. The policy blocks the manager's custom HTML tags,
// because these tags need inline scripts.
// https://developers.google.com/tag-platform/security/guides/csp
const tagSources: Directives = {
  "script-src": ["https://www.googletagmanager.com"],
  "img-src": ["https://www.googletagmanager.com", "https://*.google-analytics.com"],
  "connect-src": [
    "https://www.googletagmanager.com",
    "https://*.google-analytics.com",
    "https://*.analytics.google.com",
  ],
};

// A strict policy for AdSense needs nonces, but prerendered pages have no nonces. Pages with ads therefore
// use the policy that Google documents for browsers without support for nonces:
// https://support.google.com/adsense/answer/16283098
const adSources: Directives = {
  "script-src": ["'unsafe-inline'", "'unsafe-eval'", "https:"],
  "style-src": ["'unsafe-inline'", "https:"],
  "img-src": ["https:"],
  "font-src": ["data:", "https:"],
  "connect-src": ["https:"],
  "frame-src": ["https:"],
  "worker-src": ["blob:"],
};

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
