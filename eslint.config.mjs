import { builtinModules } from "node:module";
import { defineConfig, globalIgnores } from "eslint/config";
import nextCoreWebVitals from "eslint-config-next/core-web-vitals";
import nextTypescript from "eslint-config-next/typescript";
import prettier from "eslint-config-prettier";

/*
 * In addition to the usual rules, this file enforces the import rules of decision 0027 (docs/decisions).
 * A boundary is a list of "forbidden" patterns that an import path must not match. Imports from other
 * folders use the alias "@/…", so that one pattern matches every import of a module.
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
const parentFolder = {
  regex: "^\\.\\./",
  message: 'Import from other folders with the alias "@/…"; "./" is for the same folder.',
};

/** Forbids every import path that the regular expression `allowed` does not match completely. */
function onlyAllowed(allowed, message) {
  return { regex: `^(?!(?:${allowed})$)`, message };
}

/** Returns all import rules of `files` as one block, because ESLint does not merge options of two blocks. */
function boundary({ files, ignores = [], forbidden, mayReadEnvironment = false }) {
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

/** Forbids import("…"), require("…") and import("…").Type. no-restricted-imports does not check them. */
function dynamicImports({ regex, message }) {
  const matching = `[value=/${regex.replaceAll("/", "\\u002F")}/]`;
  return [
    { selector: `ImportExpression > Literal${matching}`, message },
    { selector: `CallExpression[callee.name='require'] > Literal${matching}`, message },
    { selector: `TSImportType Literal${matching}`, message },
  ];
}

const environmentMessage = "Only lib/server/config/env.ts reads the environment: add the setting there.";
const environment = [
  { selector: "MemberExpression[object.name='process'][property.name='env']", message: environmentMessage },
  { selector: "MemberExpression[object.name='process'][property.value='env']", message: environmentMessage },
  { selector: "VariableDeclarator[init.name='process']", message: environmentMessage },
  { selector: "ImportDeclaration[source.value=/^(node:)?process$/]", message: environmentMessage },
];

/** Requires the import "server-only". With this import, a build fails if browser code imports the module. */
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

/** Forbids next/headers, because it loads the page renderer. The server renders no pages. */
const noPageRenderer = {
  regex: "^next/headers$",
  message: "Read cookies and headers from the request, because all pages are built.",
};
const requestFiles = [
  "lib/server/http/api-route.ts",
  "lib/server/http/shared-text-route.ts",
  "lib/server/identity/identify-visitor.ts",
  "lib/server/identity/flow-cookie.ts",
  "lib/server/identity/visitor-cookies.ts",
];

const serverForbidden = [
  app,
  tooling,
  { regex: "^@/lib/client(?:/|$)", message: "Server code does not import browser code." },
  { regex: "^@/components(?:/|$)", message: "Server code does not import components." },
  { regex: browserPackages, message: "Server code does not import packages of the browser." },
  parentFolder,
];
const noNext = {
  regex: "^next(?:/|$)",
  message:
    "Only the routes and lib/server/identity use Next's requests; other server code takes and returns plain values.",
};

const componentsForbidden = [
  app,
  tooling,
  parentFolder,
  {
    regex: "^@/lib/server(?:/|$)",
    message: "Components do not import server code: call the API or take props.",
  },
  { regex: "^@/middleware$", message: "Components do not import the middleware." },
  { regex: node, message: "Components run in the browser, which has no Node modules." },
  { regex: serverPackages, message: "Components run in the browser; this package is for servers." },
];

const noFramework = {
  regex: "^next(?:/|$)",
  message: "Built pages run without Next (components/islands): take props instead.",
};

const boundaries = [
  // Rules for all files. A block below replaces these rules for its files.
  boundary({ files: ["**/*.{ts,tsx,mts,js,mjs}"], forbidden: [app, tooling] }),
  boundary({
    files: ["lib/**/*.{ts,tsx}"],
    ignores: ["lib/client/**", "lib/server/**"],
    forbidden: [
      onlyAllowed(
        "zod|zod/.+|@/lib/(?!client(?:/|$)|server(?:/|$)).+|\\./(?!.*\\.\\./).+",
        "These modules are pure: they import only zod and each other.",
      ),
    ],
  }),
  boundary({
    files: ["lib/client/**/*.{ts,tsx}"],
    forbidden: [
      app,
      tooling,
      parentFolder,
      { regex: "^@/lib/server(?:/|$)", message: "Browser code does not import server code." },
      { regex: "^@/components(?:/|$)", message: "lib/client does not import components." },
      { regex: "^@/middleware$", message: "Browser code does not import the middleware." },
      { regex: node, message: "Browsers have no Node modules." },
      { regex: serverPackages, message: "This package is for servers." },
    ],
  }),
  boundary({
    files: ["lib/server/**/*.{ts,tsx}"],
    ignores: [...requestFiles, "lib/server/config/env.ts"],
    forbidden: [...serverForbidden, noNext],
  }),
  boundary({ files: requestFiles, forbidden: [...serverForbidden, noPageRenderer] }),
  boundary({
    files: ["lib/server/config/env.ts"],
    forbidden: [...serverForbidden, noNext],
    mayReadEnvironment: true,
  }),
  boundary({
    files: ["components/**/*.{ts,tsx}"],
    ignores: ["components/ui/**"],
    forbidden: componentsForbidden,
  }),
  boundary({
    files: ["components/{captcha,flow,forms,islands}/**/*.{ts,tsx}"],
    forbidden: [...componentsForbidden, noFramework],
  }),
  boundary({
    files: ["components/ui/**/*.{ts,tsx}"],
    forbidden: [
      ...componentsForbidden,
      noFramework,
      { regex: "^@/lib/content(?:/|$)", message: "Primitives contain no product copy: take props." },
      { regex: "^@/components/(?!ui(?:/|$))", message: "Primitives import only each other." },
    ],
  }),
  boundary({
    files: ["middleware.ts"],
    forbidden: [
      onlyAllowed(
        "next/server|@/lib/http/pages|@/lib/flow/(?:guard|private-account-variants)|@/lib/server/identity/flow-cookie",
        "The middleware runs before every request that it matches: it imports only pages, guard, variants and cookie.",
      ),
    ],
  }),
  boundary({ files: ["app/**/*.{ts,tsx}"], forbidden: [{ ...app, regex: "^@/app(?:/|$)" }, tooling] }),
  boundary({
    files: ["instrumentation*.ts", "next.config.ts", "server.ts"],
    forbidden: [app, tooling],
    mayReadEnvironment: true,
  }),
  boundary({
    files: ["scripts/**", "e2e/**", "bench/**", "*.config.*"],
    ignores: ["next.config.ts"],
    forbidden: [app],
    mayReadEnvironment: true,
  }),
  boundary({
    files: ["examples/**"],
    forbidden: [
      {
        regex: "^(?:@|\\.\\.)/",
        message: "An example is copied as it is, so it does not import the product.",
      },
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
      // The site uses <a> links, because every navigation is a full page load (docs/architecture.md).
      "@next/next/no-html-link-for-pages": "off",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  {
    // In these files, a function whose name starts with "use" is not a React hook.
    files: ["lib/**", "scripts/**", "e2e/**", "bench/**", "middleware.ts"],
    ignores: ["lib/client/**"],
    rules: { "react-hooks/rules-of-hooks": "off" },
  },
  {
    files: tests,
    // Tests contain the type `typeof import("…")`. The default option forbids this type.
    rules: { "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }] },
  },
  ...boundaries,
  {
    files: ["components/**"],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        {
          name: "react",
          importNames: ["useId"],
          message: "The ids of useId differ between Next's HTML and an island: write a constant id.",
        },
      ],
    },
  },
  {
    files: ["lib/server/**/*.{ts,tsx}"],
    ignores: tests,
    plugins: { local: { rules: { "server-only": serverOnly } } },
    rules: { "local/server-only": "error" },
  },
  prettier,
]);
