import { parseBuildSettings } from "@/lib/config/build-settings";
import { pagePolicy } from "./content-security-policy";

/* e2e/flow/captcha-providers.browser.test.ts loads the scripts and frames of the captcha providers under the policy. */

/** Returns the sources by the name of their directive. */
const parse = (policy: string): object =>
  Object.fromEntries(policy.split("; ").map((each) => each.split(/ (.*)/)));

const own =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'";
const recaptcha =
  "script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/; " +
  "connect-src 'self' https://www.google.com/recaptcha/; " +
  "frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/";
const turnstile =
  "script-src 'self' https://challenges.cloudflare.com; frame-src https://challenges.cloudflare.com";
const tagManager =
  "script-src 'self' https://www.googletagmanager.com; " +
  "img-src 'self' data: https://www.googletagmanager.com https://*.google-analytics.com; connect-src 'self' " +
  "https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com";
const ads =
  "script-src 'self' 'unsafe-inline' 'unsafe-eval' https:; style-src 'self' 'unsafe-inline' https:; img-src 'self' data: " +
  "https:; font-src 'self' data: https:; connect-src 'self' https:; frame-src https:; worker-src 'self' blob:";

const tags = { GTM_ID: "GTM-TEST", ADS_CLIENT: "ca-pub-1234567890" };
const [header, tool] = [
  { ...tags, ADS_SLOT_HEADER: "12345" },
  { ...tags, ADS_SLOT_TOOL: "12345" },
];
const images = { POST_LOOKUP: "http", POST_LOOKUP_IMAGE_HOSTS: "images.example.com, *.example.net" };

it.each<[path: string, build: Record<string, string>, changed?: string]>([
  ["/", {}],
  ["/", { CAPTCHA_PROVIDER: "recaptcha" }, recaptcha],
  ["/contact", { CAPTCHA_PROVIDER: "turnstile" }, turnstile],
  ["/", header, tagManager],
  ["/", tool, ads],
  ["/get-likes", header, ads],
  ["/get-likes", tool, tagManager],
  ["/faq", { ...header, ...tool }, tagManager],
  ["/", images, "img-src 'self' data: https://images.example.com https://*.example.net"],
  ["/", { ...images, POST_LOOKUP: "oembed" }],
])(
  "allows on %s with %j only the site's own files and the documented sources",
  (path, build, changed = own) => {
    expect(parse(pagePolicy(parseBuildSettings(build), path))).toEqual({ ...parse(own), ...parse(changed) });
  },
);
