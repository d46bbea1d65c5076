import { builtinModules } from "node:module";
import { defineConfig, globalIgnores } from "eslint/config";
import nextCoreWebVitals from "eslint-config-next/core-web-vitals";
import nextTypescript from "eslint-config-next/typescript";
import prettier from "eslint-config-prettier";

/*
 * Besides the usual rules, this file holds the walls of docs/architecture.md: who may import whom. Each wall is
 * a list of "forbidden" entries, patterns of what an import may not name. Across folders, imports are written
 * with the alias "@/…", so that one pattern catches every way to name a module.
 */

const tests = ["**/*.test.ts", "**/*.test.tsx"];

const node = `^(?:node:.*|(?:${builtinModules.filter((name) => !name.startsWith("_")).join("|")})(?:/.*)?)$`;
const serverPackages =
  "^(?:server-only|ioredis|iron-session|standardwebhooks|altcha-lib|ipaddr\\.js|prom-client|@upstash/.*)(?:/.*)?$";
const browserPackages =
  "^(?:react|react-dom|swr|react-hook-form|lucide-react|altcha|client-only|@radix-ui/.*|@fingerprintjs/.*|@hookform/.*)(?:/.*)?$";

const app = {
  regex: "^(?:@/|(?:\\.{1,2}/)+)app(?:/|$)",
  message: "Nothing imports app/: move what others need to lib/ or components/.",
};
const tooling = {
  regex: "^(?:@/|(?:\\.{1,2}/)+)(?:e2e|scripts|bench|examples)(?:/|$)",
  message: "The application does not import tests or tools.",
};
const upwards = {
  regex: "^\\.\\./",
  message: 'Across folders, import by the alias "@/…"; "./" is for the same folder.',
};

/** Fails for every import that `allowed`, a regular expression without anchors, does not match as a whole. */
function onlyAllowed(allowed, message) {
  return { regex: `^(?!(?:${allowed})$)`, message };
}

/**
 * The rules of one folder. They come as one block, because a later block would replace the options of an earlier
 * one, not add to them.
 */
function wall({ files, ignores = [], forbidden, mayReadEnvironment = false }) {
  return {
    files,
    ignores: [...tests, ...ignores],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: forbidden.map((entry) => ({ ...entry, caseSensitive: true })) },
      ],
      "no-restricted-syntax": [
        "error",
        ...(mayReadEnvironment ? [] : environment),
        ...forbidden.flatMap(dynamicImports),
      ],
    },
  };
}

/** no-restricted-imports sees declarations only; these are import("…"), require("…") and import("…").Type. */
function dynamicImports({ regex, message }) {
  const matching = `[value=/${regex.replaceAll("/", "\\u002F")}/]`;
  return [
    { selector: `ImportExpression > Literal${matching}`, message },
    { selector: `CallExpression[callee.name='require'] > Literal${matching}`, message },
    { selector: `TSImportType Literal${matching}`, message },
  ];
}

const environmentMessage = "Only lib/server/env.ts reads the environment: add the setting there.";
const environment = [
  { selector: "MemberExpression[object.name='process'][property.name='env']", message: environmentMessage },
  { selector: "MemberExpression[object.name='process'][property.value='env']", message: environmentMessage },
  { selector: "VariableDeclarator[init.name='process']", message: environmentMessage },
  { selector: "ImportDeclaration[source.value=/^(node:)?process$/]", message: environmentMessage },
];

/** A server module that a browser bundle pulled in would leak secrets; with this import the build fails instead. */
const serverOnly = {
  meta: {
    type: "problem",
    schema: [],
    messages: { missing: 'Every module of lib/server starts with import "server-only".' },
  },
  create(context) {
    return {
      Program(program) {
        const marked = program.body.some(
          (statement) => statement.type === "ImportDeclaration" && statement.source.value === "server-only",
        );
        if (!marked) context.report({ node: program, messageId: "missing" });
      },
    };
  },
};

/** Brings the framework's renderer with it, which the middleware and the API start without. */
const pagesOnly = {
  regex: "^next/headers$",
  message: "For pages alone: page-session.ts reads their cookies.",
};
const requestFiles = ["api-route", "shared-text-route", "visitor", "session"].map(
  (name) => `lib/server/${name}.ts`,
);

const serverForbidden = [
  app,
  tooling,
  { regex: "^@/lib/client(?:/|$)", message: "Server code does not import browser code." },
  { regex: "^@/components(?:/|$)", message: "Server code does not import components." },
  { regex: browserPackages, message: "Server code does not import packages of the browser." },
  {
    regex: "^\\.\\./(?:\\.\\./|(?:client|components)(?:/|$))",
    message: upwards.message,
  },
];
const noNext = {
  regex: "^next(?:/|$)",
  message:
    "Only the routes, visitor.ts, session.ts and page-session.ts know the framework's requests; the rest takes and returns plain values.",
};

const componentsForbidden = [
  app,
  tooling,
  upwards,
  {
    regex: "^@/lib/server(?:/|$)",
    message: "Components do not import server code: ask the API or take props.",
  },
  { regex: "^@/middleware$", message: "Components do not import the middleware." },
  { regex: node, message: "Components run in the browser: there is no Node." },
  { regex: serverPackages, message: "Components run in the browser: this package is for servers." },
];

const noFramework = {
  regex: "^next(?:/|$)",
  message: "Built pages run without the framework (components/islands): what it knows comes as props.",
};

const walls = [
  // The default, for folders without a wall of their own: the blocks below replace it.
  wall({ files: ["**/*.{ts,tsx,mts,js,mjs}"], forbidden: [app, tooling] }),
  wall({
    files: ["lib/*.ts", "lib/schemas/**/*.{ts,tsx}", "lib/content/**/*.{ts,tsx}"],
    forbidden: [
      onlyAllowed(
        "zod|zod/.+|@/lib/(?!client(?:/|$)|server(?:/|$)).+|\\./(?!client(?:/|$)|server(?:/|$)|.*\\.\\./).+",
        "These modules are pure: they import zod and each other, nothing else.",
      ),
    ],
  }),
  wall({
    files: ["lib/client/**/*.{ts,tsx}"],
    forbidden: [
      app,
      tooling,
      upwards,
      { regex: "^@/lib/server(?:/|$)", message: "Browser code does not import server code." },
      { regex: "^@/components(?:/|$)", message: "Components import lib/client, not the other way round." },
      { regex: "^@/middleware$", message: "Browser code does not import the middleware." },
      { regex: node, message: "Browser code: there is no Node." },
      { regex: serverPackages, message: "Browser code: this package is for servers." },
    ],
  }),
  wall({
    files: ["lib/server/**/*.{ts,tsx}"],
    ignores: [...requestFiles, "lib/server/page-session.ts", "lib/server/env.ts"],
    forbidden: [...serverForbidden, noNext],
  }),
  wall({ files: requestFiles, forbidden: [...serverForbidden, pagesOnly] }),
  wall({ files: ["lib/server/page-session.ts"], forbidden: serverForbidden }),
  wall({
    files: ["lib/server/env.ts"],
    forbidden: [...serverForbidden, noNext],
    mayReadEnvironment: true,
  }),
  wall({
    files: ["components/**/*.{ts,tsx}"],
    ignores: ["components/ui/**"],
    forbidden: componentsForbidden,
  }),
  wall({
    files: ["components/{captcha,flow,forms,islands}/**/*.{ts,tsx}"],
    forbidden: [...componentsForbidden, noFramework],
  }),
  wall({
    files: ["components/ui/**/*.{ts,tsx}"],
    forbidden: [
      ...componentsForbidden,
      noFramework,
      { regex: "^@/lib/content(?:/|$)", message: "The primitives know no business words: take props." },
      { regex: "^@/components/(?!ui(?:/|$))", message: "The primitives import only each other." },
    ],
  }),
  wall({
    files: ["middleware.ts"],
    forbidden: [
      onlyAllowed(
        "next/server|@/lib/routes|@/lib/flow|@/lib/content-security-policy|@/lib/server/session|@/lib/server/env",
        "The middleware runs before everything else and stays small: routes, flow, policy, session, env, next/server.",
      ),
    ],
  }),
  wall({ files: ["app/**/*.{ts,tsx}"], forbidden: [{ ...app, regex: "^@/app(?:/|$)" }, tooling] }),
  wall({
    files: ["instrumentation*.ts", "next.config.ts"],
    forbidden: [app, tooling],
    mayReadEnvironment: true,
  }),
  wall({
    files: ["scripts/**", "e2e/**", "bench/**", "*.config.*"],
    ignores: ["next.config.ts"],
    forbidden: [app],
    mayReadEnvironment: true,
  }),
  wall({
    files: ["examples/**"],
    forbidden: [
      { regex: "^(?:@|\\.\\.)/", message: "An example is copied as it is: it uses nothing of the product." },
    ],
    mayReadEnvironment: true,
  }),
];

export default defineConfig([
  globalIgnores([".next/", "node_modules/", ".data/", "coverage/", "shots/", "public/", "next-env.d.ts"]),
  nextCoreWebVitals,
  nextTypescript,
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    rules: {
      // Every navigation is a full page load by design; see docs/architecture.md.
      "@next/next/no-html-link-for-pages": "off",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  {
    // Outside the browser a function may be called "use…" without being a hook of React.
    files: ["lib/*.ts", "lib/server/**", "scripts/**", "e2e/**", "bench/**", "middleware.ts"],
    rules: { "react-hooks/rules-of-hooks": "off" },
  },
  {
    files: tests,
    // jest.requireActual<typeof import("…")>() needs the inline form.
    rules: { "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }] },
  },
  ...walls,
  {
    files: ["lib/server/**/*.{ts,tsx}"],
    ignores: tests,
    plugins: { local: { rules: { "server-only": serverOnly } } },
    rules: { "local/server-only": "error" },
  },
  prettier,
]);
