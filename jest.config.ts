/** @jest-config-loader esbuild-register */
import type { Config } from "jest";

function compile(parser: object): [string, Record<string, unknown>] {
  const jsc = { parser, transform: { react: { runtime: "automatic" } }, target: "es2022" };
  return ["@swc/jest", { jsc, module: { type: "commonjs" } }];
}

/** Types, JSX and module syntax compiled away, the rest as it is; the end-to-end tests use it too. */
export const transform = {
  "\\.tsx$": compile({ syntax: "typescript", tsx: true }),
  "\\.[cm]?ts$": compile({ syntax: "typescript", tsx: false }),
  "\\.[cm]?jsx?$": compile({ syntax: "ecmascript", jsx: true }),
};

/** Packages whose files are ES modules although their names end in .js. Every .mjs file is compiled anyway. */
const esmPackages = [
  "@fingerprintjs",
  "@hookform",
  "@upstash",
  "altcha",
  "altcha-lib",
  "iron-session",
  "iron-webcrypto",
  "lucide-react",
  "swr",
  "uncrypto",
];

export const transformIgnorePatterns = [
  `/node_modules/(?!(?:${esmPackages.join("|")})/).*(?<!\\.mjs)$`,
  "\\.cjs$",
];

/** Style sheets say nothing to tests. */
export const moduleNameMapper = {
  "\\.css$": "<rootDir>/scripts/test-empty-module.ts",
  "^@/(.*)$": "<rootDir>/$1",
};

/** With "react-server", `import "server-only"` is the empty module that it is inside Next.js. */
export const serverEnvironmentOptions = {
  customExportConditions: ["react-server", "node", "require", "default"],
};

const common = {
  transform,
  transformIgnorePatterns,
  moduleNameMapper,
  modulePathIgnorePatterns: ["<rootDir>/.next/", "<rootDir>/.data/"],
};

const config: Config = {
  // As many as there are cores: the default leaves one of two idle.
  maxWorkers: "100%",
  // For all projects: within one it is ignored. Tests with a real Redis or a browser's worth of components take seconds.
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      displayName: "server",
      // As in a build; see next.config.ts.
      moduleNameMapper: { ...moduleNameMapper, "^uncrypto$": "<rootDir>/lib/server/identity/web-crypto.ts" },
      testEnvironment: "node",
      testEnvironmentOptions: serverEnvironmentOptions,
      testMatch: [
        "<rootDir>/*.test.ts",
        "<rootDir>/lib/**/*.test.ts",
        "<rootDir>/app/**/*.test.ts",
        "<rootDir>/scripts/**/*.test.ts",
        "<rootDir>/bench/**/*.test.ts",
      ],
      testPathIgnorePatterns: ["/node_modules/", "<rootDir>/lib/client/"],
    },
    {
      ...common,
      displayName: "client",
      testEnvironment: "<rootDir>/scripts/test-environment-client.mjs",
      testMatch: ["<rootDir>/components/**/*.test.ts?(x)", "<rootDir>/lib/client/**/*.test.ts?(x)"],
      setupFilesAfterEnv: ["<rootDir>/scripts/test-setup-client.ts"],
    },
  ],
};

export default config;
