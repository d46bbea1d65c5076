import { defineConfig, globalIgnores } from "eslint/config";
import nextCoreWebVitals from "eslint-config-next/core-web-vitals";
import nextTypescript from "eslint-config-next/typescript";
import prettier from "eslint-config-prettier";

const tests = ["**/*.test.ts", "**/*.test.tsx"];

const environmentMessage = "Only lib/server/config/env.ts reads the environment: add the setting there.";
const environment = [
  { selector: "MemberExpression[object.name='process'][property.name='env']", message: environmentMessage },
  { selector: "MemberExpression[object.name='process'][property.value='env']", message: environmentMessage },
  { selector: "VariableDeclarator[init.name='process']", message: environmentMessage },
  { selector: "ImportDeclaration[source.value=/^(node:)?process$/]", message: environmentMessage },
];

const interfaceMessage = "Some browsers lack it, or it throws: call it in lib/client/browser.";
const forbid = (key, names) => names.split(" ").map((name) => ({ [key]: name, message: interfaceMessage }));
const interfaces = forbid(
  "name",
  "localStorage sessionStorage indexedDB caches cookieStore BroadcastChannel navigator matchMedia crypto CSS Intl Worker " +
    "SharedWorker IntersectionObserver ResizeObserver requestIdleCallback AbortSignal structuredClone Temporal Notification",
);
const members = forbid("property", "cookie startViewTransition replaceState pushState canParse");

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
    files: ["lib/**", "cli/**", "scripts/**", "e2e/**", "bench/**", "testing/**", "middleware.ts"],
    ignores: ["lib/client/**"],
    rules: { "react-hooks/rules-of-hooks": "off" },
  },
  {
    files: tests,
    // Tests contain the type `typeof import("…")`. The default option forbids this type.
    rules: { "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }] },
  },
  {
    // .dependency-cruiser.mjs has the rules about which module may import which.
    files: ["{app,components,lib}/**", "middleware.ts"],
    ignores: [...tests, "lib/server/config/env.ts"],
    rules: { "no-restricted-syntax": ["error", ...environment] },
  },
  {
    files: ["{components,lib/client,lib/flow,lib/schemas}/**"],
    ignores: [...tests, "lib/client/browser/**"],
    rules: {
      "no-restricted-globals": ["error", { globals: interfaces, checkGlobalObject: true }],
      "no-restricted-properties": ["error", ...members],
    },
  },
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
  prettier,
]);
