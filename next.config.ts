import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import type * as buildSettings from "./lib/config/build-settings";
import type * as responseHeaders from "./lib/http/response-headers";
import type * as routes from "./lib/http/routes";

const config: NextConfig = {
  // Every path works with and without a trailing slash; a redirect would cost a cheap phone a round trip.
  skipTrailingSlashRedirect: true,
  // The middleware's rewrites need the address as the server knows it; see middleware.ts.
  skipProxyUrlNormalize: true,
  poweredByHeader: false,
  // It would hash a page anew for each answer, a third of the answer's time: the build's last step does it once.
  generateEtags: false,
  reactStrictMode: true,
  typedRoutes: false,
  // Nothing uses the framework's image service; this closes its address, which would fetch our own pages on demand.
  images: { unoptimized: true },
  // Each page is loaded when it is first asked for: a start reads a quarter less, and a process keeps what it serves.
  experimental: { preloadEntriesOnStart: false },
  // iron-session has its cryptography from this package; why it gets ours: docs/decisions/0002-flow-in-a-sealed-cookie.md.
  turbopack: { resolveAlias: { uncrypto: "./lib/server/identity/web-crypto.ts" } },
  // Builds that the tests make besides the first one: its types were checked.
  typescript: { ignoreBuildErrors: process.env.BUILD_TYPES === "checked" },
  // Everything that one machine needs to run it, without the development dependencies; see docs/architecture.md.
  output: process.env.BUILD_OUTPUT === "standalone" ? "standalone" : undefined,
  // A start finds it in what was built.
  ...(process.argv[2] !== "start" && ofBuild()),
};

/**
 * What a build takes from the settings and the tables of lib/. They are required here, and not imported above, because
 * `next start` compiles this file and all that it imports once more at each start, zod included.
 */
function ofBuild(): NextConfig {
  /* eslint-disable @typescript-eslint/no-require-imports */
  const settings = require("./lib/config/build-settings") as typeof buildSettings;
  const { headerRules } = require("./lib/http/response-headers") as typeof responseHeaders;
  const { aliases } = require("./lib/http/routes") as typeof routes;
  /* eslint-enable @typescript-eslint/no-require-imports */
  return {
    // What prerendered pages show is fixed here, so that the running server can tell when it was changed since.
    env: {
      BUILD_SETTINGS: settings.captureBuildSettings(process.env),
      // The GMT day; legal pages and the sitemap show it.
      BUILD_DATE: new Date().toISOString().slice(0, 10),
      SITE_SCRIPTS: JSON.stringify(siteScripts()),
    },
    // A wrong setting stops a build here. A start has a list of its own: lib/server/ops/start.ts.
    headers: async () => frameworksHeaders(headerRules(settings.parseBuildSettings(process.env))),
    rewrites: () =>
      Promise.resolve(Object.entries(aliases).map(([source, destination]) => ({ source, destination }))),
  };
}

/**
 * The table of headers as the framework writes it, which takes a path for the one with a trailing slash as well. Paths with
 * the same headers stand in one pattern, because every request is held against each.
 */
function frameworksHeaders(rules: readonly responseHeaders.HeaderRule[]) {
  const paths = new Map<string, string[]>();
  for (const { path, headers } of rules) {
    const same = JSON.stringify(Object.entries(headers).map(([key, value]) => ({ key, value })));
    paths.set(same, [...(paths.get(same) ?? []), path]);
  }
  return [...paths].map(([headers, same]) => ({
    source: patternOf(same),
    headers: JSON.parse(headers) as { key: string; value: string }[],
  }));
}

function patternOf([path = "", ...others]: string[]): string {
  if (others.length === 0) return path.replace("*", ":path*");
  return `/:page(${[path, ...others].map((each) => each.slice(1)).join("|")})`;
}

/** The bundles that scripts/build-site-script.mjs made: `site.js` → `/site/site-5K2NQ6AB.js`. */
function siteScripts(): Record<string, string> {
  const folder = join(process.cwd(), "public", "site");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(files.map((file) => [file.replace(/-[A-Z0-9]+(?=\.\w+$)/, ""), `/site/${file}`]));
}

export default config;
