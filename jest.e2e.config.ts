/** @jest-config-loader esbuild-register */
import type { Config } from "jest";
import {
  moduleNameMapper,
  serverEnvironmentOptions,
  transform,
  transformIgnorePatterns,
} from "./jest.config";

/** End-to-end tests: the production build, real servers, a real Redis and a real browser. */
const config: Config = {
  displayName: "e2e",
  testEnvironment: "node",
  testEnvironmentOptions: serverEnvironmentOptions,
  testMatch: ["<rootDir>/e2e/**/*.test.ts"],
  testTimeout: 120_000,
  transform,
  transformIgnorePatterns,
  moduleNameMapper,
  modulePathIgnorePatterns: ["<rootDir>/.next/", "<rootDir>/.data/"],
};

export default config;
