/*
 * Runs server.ts on this folder: "start" serves the build (npm start), "dev" serves the sources with hot reload.
 * The port is PORT, or 3000. A second argument is the address to listen on. Without it, the server listens on all addresses.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { bundleHttpServer, httpServerFile } from "./lib/http-server.mjs";
import { root } from "./lib/processes.mjs";

const development = process.argv[2] === "dev";
process.env.NODE_ENV = development ? "development" : "production";
const folder = join(root, development ? ".data" : ".next");
if (development) await bundleHttpServer(folder);
const { serve } = createRequire(import.meta.url)(join(folder, httpServerFile));
await serve({ dir: root, port: Number(process.env.PORT || 3000), hostname: process.argv[3], development });
