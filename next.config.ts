import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import type * as buildSettings from "./lib/config/build-settings";
import type * as responseHeaders from "./lib/http/response-headers";
import type * as routes from "./lib/http/pages";

const config: NextConfig = {
  // Serves each path with and without a trailing slash. A redirect would cost slow phones a round trip.
  skipTrailingSlashRedirect: true,
  // Keeps `request.url` unchanged for the middleware's rewrites: see urlFor in middleware.ts.
  skipProxyUrlNormalize: true,
  poweredByHeader: false,
  // Next would compute an ETag for each response. Instead, the build computes the ETag of each page once.
  generateEtags: false,
  reactStrictMode: true,
  typedRoutes: false,
  // Disables Next's image endpoint. The site does not need an endpoint that fetches pages of this server.
  images: { unoptimized: true },
  // Next loads the code of a page at its first request, so that start-up loads a quarter less code.
  experimental: { preloadEntriesOnStart: false },
  // Makes iron-session faster. See docs/decisions/0022-derived-keys-for-the-flow-cookie.md.
  turbopack: { resolveAlias: { uncrypto: "./lib/server/identity/web-crypto.ts" } },
  // The test scripts set BUILD_TYPES, because they have already checked the types.
  typescript: { ignoreBuildErrors: process.env.BUILD_TYPES === "checked" },
  // "standalone" creates a folder with the server and only its runtime dependencies, for example for Docker.
  output: process.env.BUILD_OUTPUT === "standalone" ? "standalone" : undefined,
  // `next start` does not need these settings: it reads their results from the build output.
  ...(process.argv[2] !== "start" && buildOnlyConfig()),
};

/** Returns settings that only a build needs. With static imports, `next start` would compile the modules. */
function buildOnlyConfig(): NextConfig {
  /* eslint-disable @typescript-eslint/no-require-imports */
  const settings = require("./lib/config/build-settings") as typeof buildSettings;
  const { headerRules } = require("./lib/http/response-headers") as typeof responseHeaders;
  const { aliases } = require("./lib/http/pages") as typeof routes;
  /* eslint-enable @typescript-eslint/no-require-imports */
  return {
    // Stores the settings that prerendered pages show, so that the server can warn when they change.
    env: {
      BUILD_SETTINGS: settings.captureBuildSettings(process.env),
      // Day of the build in GMT. The legal pages and the sitemap show it.
      BUILD_DATE: new Date().toISOString().slice(0, 10),
      SITE_SCRIPTS: JSON.stringify(siteScripts()),
    },
    // An invalid setting stops the build here. lib/server/ops/start.ts checks the settings at start-up.
    headers: async () => toNextHeaders(headerRules(settings.parseBuildSettings(process.env))),
    rewrites: () =>
      Promise.resolve(Object.entries(aliases).map(([source, destination]) => ({ source, destination }))),
  };
}

/** Converts rules to Next's format. Joins paths with equal headers: Next tries each pattern per request. */
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

/** Maps each bundle name to the URL path of the built file: `site.js` → `/site/site-5K2NQ6AB.js`. */
function siteScripts(): Record<string, string> {
  const folder = join(process.cwd(), "public", "site");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(files.map((file) => [file.replace(/-[A-Z0-9]+(?=\.\w+$)/, ""), `/site/${file}`]));
}

export default config;
