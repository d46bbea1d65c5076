import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import type * as buildSettings from "./lib/config/build-settings";
import type * as responseHeaders from "./lib/http/response-headers";
import type * as routes from "./lib/http/routes";

const config: NextConfig = {
  // Serves each path with and without a trailing slash. A redirect would cost slow phones a round trip.
  skipTrailingSlashRedirect: true,
  // Keeps `request.url` unchanged for the middleware's rewrites: see urlFor in middleware.ts.
  skipProxyUrlNormalize: true,
  poweredByHeader: false,
  // Next would hash the page for each response. The build computes ETags once instead.
  generateEtags: false,
  reactStrictMode: true,
  typedRoutes: false,
  // Disables Next's image endpoint, which is unused and would fetch the server's own pages.
  images: { unoptimized: true },
  // Next loads each page on its first request, so start-up reads a quarter less code.
  experimental: { preloadEntriesOnStart: false },
  // Speeds up iron-session: see docs/decisions/0002-flow-in-a-sealed-cookie.md.
  turbopack: { resolveAlias: { uncrypto: "./lib/server/identity/web-crypto.ts" } },
  // Further builds of the test suite skip the type check, because the first build did it.
  typescript: { ignoreBuildErrors: process.env.BUILD_TYPES === "checked" },
  // "standalone" contains only runtime dependencies: see docs/architecture.md.
  output: process.env.BUILD_OUTPUT === "standalone" ? "standalone" : undefined,
  // `next start` reads these settings from the build output.
  ...(process.argv[2] !== "start" && buildOnlyConfig()),
};

/** Returns build-only settings. With static imports, each `next start` would compile these modules too. */
function buildOnlyConfig(): NextConfig {
  /* eslint-disable @typescript-eslint/no-require-imports */
  const settings = require("./lib/config/build-settings") as typeof buildSettings;
  const { headerRules } = require("./lib/http/response-headers") as typeof responseHeaders;
  const { aliases } = require("./lib/http/routes") as typeof routes;
  /* eslint-enable @typescript-eslint/no-require-imports */
  return {
    // Stores what prerendered pages show, so that the server can detect later changes.
    env: {
      BUILD_SETTINGS: settings.captureBuildSettings(process.env),
      // GMT day, shown on legal pages and in the sitemap.
      BUILD_DATE: new Date().toISOString().slice(0, 10),
      SITE_SCRIPTS: JSON.stringify(siteScripts()),
    },
    // An invalid setting stops the build here. lib/server/ops/start.ts checks the settings at start-up.
    headers: async () => toNextHeaders(headerRules(settings.parseBuildSettings(process.env))),
    rewrites: () =>
      Promise.resolve(Object.entries(aliases).map(([source, destination]) => ({ source, destination }))),
  };
}

/** Converts header rules to Next's format. Fewer patterns are faster: Next tries all for each request. */
function toNextHeaders(rules: readonly responseHeaders.HeaderRule[]) {
  const pathsByHeaders = new Map<string, string[]>();
  for (const { path, headers } of rules) {
    const list = JSON.stringify(Object.entries(headers).map(([key, value]) => ({ key, value })));
    pathsByHeaders.set(list, [...(pathsByHeaders.get(list) ?? []), path]);
  }
  return [...pathsByHeaders].map(([headers, paths]) => ({
    source: toPattern(paths),
    headers: JSON.parse(headers) as { key: string; value: string }[],
  }));
}

function toPattern([path = "", ...others]: string[]): string {
  if (others.length === 0) return path.replace("*", ":path*");
  return `/:page(${[path, ...others].map((each) => each.slice(1)).join("|")})`;
}

/** Maps bundle names to built files: `site.js` → `/site/site-5K2NQ6AB.js`. */
function siteScripts(): Record<string, string> {
  const folder = join(process.cwd(), "public", "site");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(files.map((file) => [file.replace(/-[A-Z0-9]+(?=\.\w+$)/, ""), `/site/${file}`]));
}

export default config;
