/** @jest-config-loader esbuild-register */
import type { Config } from "jest";
import {
  moduleNameMapper,
  serverEnvironmentOptions,
  transform,
  transformIgnorePatterns,
} from "./jest.config";

/** Settings of the end-to-end tests. The tests use the production build, a real Redis and a real browser. */
const config: Config = {
  displayName: "e2e",
  testEnvironment: "node",
  testEnvironmentOptions: serverEnvironmentOptions,
  testMatch: ["<rootDir>/e2e/**/*.test.ts"],
  testTimeout: 120_000,
  testSequencer: "<rootDir>/e2e/support/longest-first.mjs",
  transform,
  transformIgnorePatterns,
  moduleNameMapper,
  testPathIgnorePatterns: [
    "/node_modules/",
    // scripts/verify.mjs sets WITHOUT_SERVERLESS when the serverless build fails.
    ...(process.env.WITHOUT_SERVERLESS === "yes" ? ["/e2e/hosting/serverless", "/e2e/serverless/"] : []),
    ...(process.env.E2E_SERVERLESS === "yes" ? [] : ["/e2e/serverless/"]),
  ],
  modulePathIgnorePatterns: ["<rootDir>/.next/", "<rootDir>/.data/"],
};

export default config;
