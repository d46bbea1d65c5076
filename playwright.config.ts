import { defineConfig } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "./testing/browser/browser";

const isServerless = process.env.E2E_SERVERLESS === "yes";

/** Settings of the end-to-end tests. The tests use the production build, a real Redis and a real browser. */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.test.ts",
  testIgnore: [
    // scripts/verify.mjs sets WITHOUT_SERVERLESS when the serverless build fails.
    ...(process.env.WITHOUT_SERVERLESS === "yes" ? ["hosting/serverless*", "serverless/**"] : []),
    ...(isServerless ? [] : ["serverless/**"]),
  ],
  // Node loads ES modules itself. Playwright's compiler does not support import.meta in them.
  build: { external: ["**/*.mjs"] },
  outputDir: ".data/verify/e2e",
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // More workers than cores, because most tests wait for servers part of the time.
  workers: 4,
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: process.env.E2E_RESULTS ?? ".data/verify/e2e.json" }]],
  use: {
    launchOptions: { executablePath: chromiumPath(), args: chromiumArguments },
    viewport: { width: 360, height: 640 },
    // No authority has signed the certificates of the test servers.
    ignoreHTTPSErrors: true,
    actionTimeout: 15_000,
    trace: "on-first-retry",
  },
});
