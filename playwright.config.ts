import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./e2e/support/browser/browser";

/** What `npm run test:serverless` runs on an emulated host. */
const serverless = {
  testMatch: [
    ...["hosting/serverless", "serverless/preview", "security/http-contract", "pages/pages"],
    ...["flow/flow.browser", "flow/idempotency.browser", "flow/like", "flow/lookups"],
    ...["forms/forms", "forms/forms.browser"],
  ].map((name) => `${name}.test.ts`),
  // A serverless host always has a secret for the cron route, no HTTP server of ours, and no Redis with a file.
  grepInvert:
    /has no \/api\/cron\/reconcile without its token|limits all requests of an address|rewrites the file of Redis/,
};

/**
 * Settings of the end-to-end tests. The tests use the production build, a real Redis and a real browser. `npm run verify` leaves
 * out the tag @slow: tests of what rarely changes that take many seconds, or need a build of their own.
 */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.test.ts",
  testIgnore: "serverless/**",
  ...(process.env.E2E_SERVERLESS === "yes" && { ...serverless, testIgnore: [] }),
  // Node loads ES modules itself. Playwright's compiler does not support import.meta in them.
  build: { external: ["**/*.mjs"] },
  outputDir: ".data/verify/e2e",
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // More workers than cores, because most tests wait for servers part of the time.
  workers: 4,
  retries: 1,
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
