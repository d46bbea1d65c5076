import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import type * as buildSettings from "./lib/config/build-settings";
import type * as responseHeaders from "./lib/http/response-headers";
import type * as routes from "./lib/http/pages";

const config: NextConfig = {
  // Serves each path with and without a trailing slash. A redirect would add a round trip.
  skipTrailingSlashRedirect: true,
  // Keeps `request.url` unchanged, because rewrites need its origin (urlFor in middleware.ts).
  skipProxyUrlNormalize: true,
  poweredByHeader: false,
  // The ETag of a page is the id of the build, so Next.js does not compute an ETag for each response.
  generateEtags: false,
  reactStrictMode: true,
  typedRoutes: false,
  // Disables the image endpoint of Next.js, because the site does not need it.
  images: { unoptimized: true },
  // Next.js loads the code of a page at the page's first request. Start-up loads a quarter less code.
  experimental: { preloadEntriesOnStart: false },
  // Set where the types are already checked, or where testing and e2e are absent (Dockerfile).
  typescript: { ignoreBuildErrors: process.env.BUILD_TYPES === "checked" },
  // "standalone" creates a folder with the server and only its runtime dependencies, for example for Docker.
  output: process.env.BUILD_OUTPUT === "standalone" ? "standalone" : undefined,
  // Otherwise Next.js takes a folder above as the root if it contains a lock file, and writes the standalone output elsewhere.
  outputFileTracingRoot: process.cwd(),
  turbopack: { root: process.cwd() },
  // `npm start` does not need these settings, because Next.js reads their results from the build output.
  ...(process.argv[2] !== "start" && configBeforeStart()),
};

/** Returns the settings that `npm start` does not need. Uses `require`, so that `npm start` loads no modules for them. */
function configBeforeStart(): NextConfig {
  /* eslint-disable @typescript-eslint/no-require-imports */
  const settings = require("./lib/config/build-settings") as typeof buildSettings;
  const { headerRules } = require("./lib/http/response-headers") as typeof responseHeaders;
  const { aliases } = require("./lib/http/pages") as typeof routes;
  /* eslint-enable @typescript-eslint/no-require-imports */
  const { NODE_ENV, VERCEL, NEXT_ADAPTER_PATH } = process.env;
  const buildId = randomBytes(10).toString("hex");
  const pageHeaders = { ...(NODE_ENV === "production" && { ETag: `"${buildId}"` }) };
  return {
    // Without NEXT_ADAPTER_PATH, Vercel's tool cannot read the output of a build with an adapter.
    adapterPath:
      VERCEL && !NEXT_ADAPTER_PATH ? undefined : join(process.cwd(), "scripts", "next-adapter.mjs"),
    generateBuildId: () => buildId,
    // Stores the settings that prerendered pages show. The server warns if its own settings differ.
    env: {
      BUILD_SETTINGS: settings.captureBuildSettings(process.env),
      // Day of the build in GMT. The legal pages and the sitemap show this day.
      BUILD_DATE: new Date().toISOString().slice(0, 10),
      BUILD_ID: buildId,
      SITE_SCRIPTS: siteScripts(),
    },
    // An invalid setting stops the build here. lib/server/boot/start.ts checks the settings at start-up.
    headers: async () => toNextHeaders(headerRules(settings.parseBuildSettings(process.env), pageHeaders)),
    rewrites: () =>
      Promise.resolve(Object.entries(aliases).map(([source, destination]) => ({ source, destination }))),
  };
}

/** Joins paths with the same headers into one pattern, because Next.js tests every pattern for each request. */
function toNextHeaders(rules: readonly responseHeaders.HeaderRule[]) {
  return [...new Set(rules.map(({ headers }) => headers))].map((headers) => ({
    source: toPattern(rules.filter((rule) => rule.headers === headers).map(({ path }) => path)),
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
  }));
}

function toPattern([path = "", ...others]: string[]): string {
  if (others.length === 0) return path.replace("*", ":path*");
  return `/:page(${[path, ...others].map((each) => each.slice(1)).join("|")})`;
}

/** Returns the URL paths of the pages' scripts, which scripts/build-browser-scripts.mjs has written. */
function siteScripts(): string {
  const file = join(process.cwd(), "public", "site", "scripts.json");
  return existsSync(file) ? readFileSync(file, "utf8") : "{}";
}

export default config;
