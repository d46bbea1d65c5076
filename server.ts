import { createServer, type RequestListener } from "node:http";
import { constants } from "node:os";
import next from "next";
import { shutDown } from "@/lib/server/http-guard/connections";
import { createHttpServer } from "@/lib/server/http-guard/http-guard";

/**
 * Starts the site: one HTTP server with the product's limits, whose requests go to Next. Used by the standalone
 * output, by `npm start` and by `npm run dev`; scripts/lib/http-server.mjs bundles this file.
 * See docs/decisions/0028-explicit-http-server.md.
 *
 * @param dir folder of the build, or of the sources in development
 * @param hostname address to listen on; all addresses by default
 */
export async function serve(options: {
  dir: string;
  port: number;
  hostname?: string;
  development?: boolean;
}): Promise<void> {
  const { dir, port, hostname, development = false } = options;
  // Requests reach this handler only after `listen` below.
  let handle: RequestListener = () => undefined;
  const server = createHttpServer((request, response) => handle(request, response), { development });
  // Next adds an "upgrade" listener to this server. Hot reload needs it. In production Next gets a server that never
  // listens, so that Node ignores upgrades: the time limits do not apply to upgraded connections.
  const httpServer = development ? server : createServer();
  const app = next({ dir, port, hostname, dev: development, httpServer });
  await app.prepare();
  handle = app.getRequestHandler();

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      // Browsers keep the connections for hot reload open.
      if (development) server.closeAllConnections();
      await shutDown(server);
      await app.close();
      process.exit(128 + constants.signals[signal]);
    });
  }
  server.on("error", (error) => {
    console.error(`The server cannot listen on port ${port}: ${error.message}`);
    process.exit(1);
  });
  server.listen(port, hostname);
}
