/*
 * Runs server.ts on this folder: "start" serves the build (npm start), "dev" serves the sources with hot reload.
 * The port is PORT, or 3000. A second argument is the address to listen on. Without it, the server listens on all addresses.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import loader from "@next/env";
import { bundleHttpServer, httpServerFile } from "./lib/bundle-programs.mjs";
import { requireNode } from "./lib/install.mjs";
import { readPort } from "./lib/ports.mjs";
import { printError, root } from "./lib/processes.mjs";
import { refuseExpansions } from "./lib/settings-file.mjs";

const development = process.argv[2] === "dev";
process.env.NODE_ENV = development ? "development" : "production";
const port = await prepare().catch((error) => {
  printError(error);
  process.exit(1);
});
const folder = join(root, development ? ".data" : ".next");
if (development) await bundleHttpServer(folder);
const { serve } = createRequire(import.meta.url)(join(folder, httpServerFile));
await serve({ dir: root, port, hostname: process.argv[3], development });

async function prepare() {
  requireNode();
  refuseExpansions(loader.loadEnvConfig(root, development).loadedEnvFiles);
  return readPort();
}
