import type { NextConfig } from "next";
import { captureBuildSettings } from "./lib/build-settings";
import { aliases } from "./lib/routes";

const config: NextConfig = {
  // Every path works with and without a trailing slash; a redirect would cost a cheap phone a round trip.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  // What prerendered pages show is fixed here, so that the running server can tell when it was changed since.
  env: {
    BUILD_SETTINGS: JSON.stringify(captureBuildSettings(process.env)),
    // The GMT day; legal pages and the sitemap show it.
    BUILD_DATE: new Date().toISOString().slice(0, 10),
  },
  rewrites: () =>
    Promise.resolve(Object.entries(aliases).map(([source, destination]) => ({ source, destination }))),
};

export default config;
