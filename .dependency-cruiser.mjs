import { readdirSync, readFileSync } from "node:fs";

/*
 * Import rules of docs/decisions/0020-layout-of-code.md. `npm run lint` checks them with dependency-cruiser, which
 * resolves each import, also type imports and import("…"). Tests may import everything.
 */

const node = { dependencyTypes: ["core"] };
const packages = (...names) => ({ path: `^node_modules/(?:${names.join("|")})/` });
const serverPackages = packages(
  ...[
    "server-only",
    "ioredis",
    "iron-session",
    "standardwebhooks",
    "altcha-lib",
    "ipaddr\\.js",
    "prom-client",
  ],
  "@upstash",
);
const browserPackages = packages(
  ...["react", "react-dom", "swr", "react-hook-form", "lucide-react", "altcha", "client-only"],
  ...["@radix-ui", "@fingerprintjs", "@hookform"],
);
const next = packages("next");

/** Only these modules of lib/server use the requests of Next.js. */
const requestFiles =
  "^lib/server/(?:http/api-route|identity/identify-visitor|cookies/(?:flow-cookie|order-id))\\.ts$";
const product = "^(?:app|components|lib)/|^(?:middleware|instrumentation|next\\.config|server)\\.ts$";

/** Files of components with the directive "use client". */
const clientModules = readdirSync("components", { recursive: true, encoding: "utf8" })
  .map((name) => `components/${name}`)
  .filter((file) => /\.tsx?$/.test(file) && /^"use client"/.test(readFileSync(file, "utf8")));

/** Creates one rule for each entry of `to`. */
function forbid(name, comment, from, ...to) {
  return to.map((each, index) => ({
    name: `${name}-${index + 1}`,
    comment,
    severity: "error",
    from,
    to: each,
  }));
}

const rules = {
  forbidden: [
    ...forbid(
      "no-circles",
      "No module imports itself, also not through other modules.",
      {},
      { circular: true },
    ),
    {
      name: "no-circles-of-folders",
      comment:
        "Folders of app, components and lib have an order, in which each imports only folders below it.",
      severity: "error",
      scope: "folder",
      from: { path: "^(?:app|components|lib)(?:/|$)" },
      to: { circular: true },
    },
    ...forbid(
      "app",
      "Move what others need from app/ to lib/ or components/.",
      { pathNot: "^app/" },
      { path: "^app/" },
    ),
    ...forbid(
      "tooling",
      "The application does not import tests or tools.",
      { path: product },
      { path: "^(?:cli|e2e|scripts|bench|examples|testing)/" },
    ),
    ...forbid("e2e", "Move what others need from e2e/ to testing/.", { pathNot: "^e2e/" }, { path: "^e2e/" }),
    ...forbid(
      "pure",
      "These modules import only zod and each other.",
      { path: "^lib/(?!client/|server/)" },
      { pathNot: "^lib/(?!client/|server/)|^node_modules/zod/" },
    ),
    ...forbid(
      "browser",
      "This code runs in the browser: call the API or take props.",
      { path: "^(?:lib/client|components)/" },
      ...[{ path: "^(?:lib/server/|middleware\\.ts)" }, node, serverPackages],
    ),
    ...forbid(
      "client",
      "lib/client does not import components.",
      { path: "^lib/client/" },
      { path: "^components/" },
    ),
    ...forbid(
      "no-framework",
      "Built pages run without Next (components/islands): take props instead.",
      { path: "^components/(?:captcha|flow|forms|islands|ui)/" },
      next,
    ),
    ...forbid(
      "islands",
      "Built pages hydrate only islands: add the component to the table in app/island.tsx.",
      { path: "^(?:app|components/(?:site|content))/", pathNot: "^app/island\\.tsx$" },
      { path: `^(?:${clientModules.join("|")})$` },
    ),
    ...forbid(
      "primitives",
      "Primitives contain no product copy, and import only each other.",
      { path: "^components/ui/" },
      ...[{ path: "^lib/content/" }, { path: "^components/(?!ui/)" }],
    ),
    ...forbid(
      "server",
      "Server code does not import browser code.",
      { path: "^lib/server/" },
      ...[{ path: "^(?:lib/client|components)/" }, browserPackages],
    ),
    ...forbid(
      "server-without-next",
      "Only the routes and lib/server/identity use Next's requests; other server code takes plain values.",
      { path: "^lib/server/", pathNot: requestFiles },
      next,
    ),
    ...forbid(
      "no-page-renderer",
      "Read cookies and headers from the request: next/headers loads the page renderer.",
      { path: "^(?:lib|app|components)/" },
      { path: "^node_modules/next/headers" },
    ),
    ...forbid(
      "middleware",
      "The middleware runs before every request that it matches: it imports only pages, navigation, limits, guard, variants and cookies.",
      { path: "^middleware\\.ts$" },
      {
        pathNot:
          "^node_modules/next/server|^lib/(?:http/(?:navigation|pages)|config/limits|flow/(?:guard|private-account-variants)|server/cookies/flow-cookie)\\.ts$",
      },
    ),
    ...forbid(
      "declared",
      "Another package may stop using a package that package.json does not name.",
      { pathNot: "^examples/" },
      { dependencyTypes: ["npm-no-pkg"] },
    ),
    ...forbid(
      "examples",
      "An example is copied as it is, so it does not import the product.",
      { path: "^examples/" },
      { path: product },
    ),
  ],
  required: [
    {
      name: "server-only",
      comment:
        'Every module of lib/server imports "server-only". A build then fails if browser code imports it.',
      severity: "error",
      module: { path: "^lib/server/" },
      to: { path: "server-only" },
    },
  ],
  options: {
    exclude: "\\.test\\.tsx?$|(?:^|/)test-[^/]+\\.tsx?$|/__mocks__/|^examples/[^/]+/node_modules/",
    doNotFollow: "node_modules",
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};

export default rules;
