import { availableParallelism } from "node:os";

// West of GMT, a day without a time zone is the day before.
process.env.TZ = "America/Los_Angeles";

function compile(parser) {
  const jsc = { parser, transform: { react: { runtime: "automatic" } }, target: "es2022" };
  return ["@swc/jest", { jsc, module: { type: "commonjs" } }];
}

/** Compiles TypeScript, JSX and ES modules. */
const transform = {
  "\\.tsx$": compile({ syntax: "typescript", tsx: true }),
  "\\.[cm]?ts$": compile({ syntax: "typescript", tsx: false }),
  "\\.[cm]?jsx?$": compile({ syntax: "ecmascript", jsx: true }),
};

/** Packages with ES modules in .js files, which Jest must compile. Jest compiles all .mjs files. */
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

const transformIgnorePatterns = [`/node_modules/(?!(?:${esmPackages.join("|")})/).*(?<!\\.mjs)$`, "\\.cjs$"];

const moduleNameMapper = {
  "\\.css$": "<rootDir>/testing/jest/empty-module.ts",
  "^@/(.*)$": "<rootDir>/$1",
};

/** With the condition "react-server", the package server-only is empty. Next.js sets this condition, too. */
const serverEnvironmentOptions = {
  customExportConditions: ["react-server", "node", "require", "default"],
};

const common = {
  transform,
  transformIgnorePatterns,
  moduleNameMapper,
  modulePathIgnorePatterns: ["<rootDir>/.next/", "<rootDir>/.data/"],
};

/** @type {import("jest").Config} */
const config = {
  // Tests of the server often wait. With one worker per core, cores are idle.
  maxWorkers: availableParallelism() + 1,
  testSequencer: "<rootDir>/testing/jest/sequencer.mjs",
  // Tests with a real Redis take several seconds. Jest ignores `testTimeout` inside `projects`.
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      displayName: "server",
      testEnvironment: "node",
      testEnvironmentOptions: serverEnvironmentOptions,
      testMatch: ["<rootDir>/**/*.test.ts?(x)"],
      // Other programs and the project below run these tests.
      testPathIgnorePatterns: [
        "/node_modules/",
        "<rootDir>/(?:\\.next|\\.data|components|e2e|examples|lib/client)/",
      ],
    },
    {
      ...common,
      displayName: "client",
      testEnvironment: "<rootDir>/testing/jest/client-environment.mjs",
      testMatch: ["<rootDir>/components/**/*.test.ts?(x)", "<rootDir>/lib/client/**/*.test.ts?(x)"],
      setupFilesAfterEnv: ["<rootDir>/testing/jest/client-setup.ts"],
    },
  ],
};

export default config;
