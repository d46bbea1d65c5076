import { parseBuildSettings } from "@/lib/config/build-settings";
import { pagePolicy } from "./content-security-policy";

/* e2e/flow/captcha-providers.browser.test.ts loads the scripts and frames of the captcha providers under the policy. */

const policyOf = (build: Record<string, string>, path: string) => pagePolicy(parseBuildSettings(build), path);
const directive = (policy: string, name: string) =>
  policy
    .split("; ")
    .find((entry) => entry.startsWith(`${name} `))
    ?.slice(name.length + 1);

test("allows only the site's own files by default", () => {
  expect(policyOf({}, "/")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
      "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'",
  );
  const recaptcha = policyOf({ CAPTCHA_PROVIDER: "recaptcha" }, "/");
  expect(directive(recaptcha, "connect-src")).toBe("'self' https://www.google.com/recaptcha/");
});

test("allows the tag manager on all pages, and ads only on pages with an ad unit", () => {
  const build = { GTM_ID: "GTM-TEST", ADS_CLIENT: "ca-pub-1234567890", ADS_SLOT_HEADER: "12345" };
  const scripts = (path: string, more = {}) => directive(policyOf({ ...build, ...more }, path), "script-src");
  for (const path of ["/", "/faq"]) expect(scripts(path)).toBe("'self' https://www.googletagmanager.com");
  expect(directive(policyOf(build, "/faq"), "connect-src")).toBe(
    "'self' https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com",
  );
  expect(scripts("/get-likes")).toContain("'unsafe-inline'");
  expect(scripts("/", { ADS_SLOT_TOOL: "12345" })).toContain("'unsafe-inline'");
});

test("allows the configured image hosts only for POST_LOOKUP=http", () => {
  const build = { POST_LOOKUP: "http", POST_LOOKUP_IMAGE_HOSTS: "images.example.com, *.example.net" };
  expect(directive(policyOf(build, "/"), "img-src")).toBe(
    "'self' data: https://images.example.com https://*.example.net",
  );
  expect(directive(policyOf({ ...build, POST_LOOKUP: "oembed" }, "/"), "img-src")).toBe("'self' data:");
});
