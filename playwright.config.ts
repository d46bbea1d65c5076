import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./testing/browser/browser";

/** What `npm run test:serverless` runs on an emulated host. */
const serverless = {
  testMatch: [
    ...["hosting/serverless", "security/http-contract", "pages/pages"],
    ...["flow/flow.browser", "flow/idempotency.browser", "flow/like", "flow/lookups"],
    ...["forms/forms", "forms/forms.browser"],
  ].map((name) => `${name}.test.ts`),
  // A serverless host always has a secret for the cron route.
  grepInvert: /has no \/api\/cron\/reconcile without its token/,
};

/**
 * `npm run verify` leaves out these tests and the tag @slow, `npm run verify -- --all` runs them: tests that take minutes or
 * measure the processor, and tests that need a build of scripts/build-variants.mjs. Each entry begins a file's path below e2e,
 * and can continue with words of the title.
 */
const slow = [
  ...["hosting/release", "hosting/serverless", "operators/printed-commands"],
  ...["flow/engines", "flow/browser-interfaces", "flow/late-responses", "pages/in-app"],
  ...[
    "security/exhaustion",
    "security/secret-rotation",
    "security/http-guard.* (?:does not store|written: 2)",
  ],
  ...["visual/layout-shift", "visual/visit-cost"],
  // Rows whose neighbours, or unit tests, run the same code.
  ...["flow/flow-states.* (?:order|tab) (?:Home|Private|Waiting|Preview)", "flow/time.* -24"],
  "flow/flow-states.* (?:Translated|Paced|Not checked|Second tab|Offline|Daily limit reached|Flow over) ",
  ...["flow/lookups.* (?:the (?:oembed|http) lookup|an IPv6)", "forms/forms.browser.* before an? "],
  ...["forms/forms.browser.* hydration: (?:feedback|issue)", "operators/doctor.* finds only: "],
  ...["operators/ledger-tool.* blocks", "operators/redis-outage.* responds 503"],
  ...["pages/no-script.* on a desktop", "pages/site-script.* service worker"],
  ...["pages/buttons.* /(?:testimonials|support|feedback|report|terms|privacy|disclaimer)"],
  ...["pages/screens.* (?:feedback|report-issue): (?:sen|fail)", "pages/states.* (?:sent offline|contact)"],
  ...["operators/check-receiver.* Python", "visual/accessibility.* of /(?:feedback|report)"],
  ...["flow/idempotency.* lost", "operators/exports.* pipe", "operators/metrics.* Prometheus"],
  // These need another build.
  ...["flow/captcha-providers", "hosting/web-servers"],
  ...["pages/consent", "pages/demo-and-live", "pages/screens.* cookies"],
  ...["security/http-guard.* standalone", "security/policy", "security/server-names", "visual/budgets"],
  ...["visual/layout.browser"],
];

/** Files of up to four minutes. They begin first, so that no other test waits for them at the end. */
const long = ["hosting/quickstart-live", "hosting/release", "operators/printed-commands"].map(
  (name) => `**/${name}.test.ts`,
);

/** With one browser per core, a test needs three quarters of the CPU time that it needs with three on two cores. */
const projects = [
  { name: "long", testMatch: long, workers: 1 },
  { name: "browser", testMatch: "**/*.browser.test.ts", workers: 2 },
  { name: "server", testIgnore: ["**/*.browser.test.ts", ...long] },
];

/** Settings of the end-to-end tests. The tests use the production build, a real Redis and a real browser. */
export default defineConfig({
  testDir: "e2e",
  ...(process.env.E2E_SERVERLESS === "yes" ? serverless : { projects }),
  // Node loads ES modules itself. Playwright's compiler does not support import.meta in them.
  build: { external: ["**/*.mjs"] },
  outputDir: ".data/verify/e2e",
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 3,
  retries: 1,
  // scripts/verify.mjs sets the variable.
  ...(process.env.E2E_WITHOUT_SLOW === "yes" && { grepInvert: new RegExp(`@slow|${slow.join("|")}`) }),
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: ".data/verify/e2e.json" }]],
  use: {
    launchOptions: { executablePath: chromiumPath(), args: chromiumArguments },
    viewport: { width: 360, height: 640 },
    // No authority has signed the certificates of the test servers.
    ignoreHTTPSErrors: true,
    actionTimeout: 15_000,
    trace: "on-first-retry",
  },
});
