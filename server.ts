import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { constants } from "node:os";
import next from "next";
import { shutDown } from "@/lib/server/http-guard/connections";
import { createHttpServer } from "@/lib/server/http-guard/http-guard";
import { dropLostOutput } from "@/lib/server/log/log";

/** Options of the site's HTTP server. */
export interface ServeOptions {
  /** The checkout, or a standalone output. */
  dir: string;
  port: number;
  /** Address on which the server listens; all addresses by default. */
  hostname?: string;
  development?: boolean;
}

/**
 * Starts the site: one HTTP server with time limits and request checks, which passes requests to Next.js.
 * scripts/lib/bundle-programs.mjs bundles this file. See docs/decisions/0013-http-server.md.
 */
export async function serve({ dir, port, hostname, development = false }: ServeOptions): Promise<void> {
  dropLostOutput();
  const server = createHttpServer((request, response) => void respond(request, response), { development });
  // Next.js adds an "upgrade" listener to the server in the option `httpServer`. Hot reload needs the listener.
  // In production, `httpServer` never listens, because upgraded connections would have no time limits.
  const httpServer = development ? server : createServer();
  const app = next({ dir, port, hostname, dev: development, httpServer });
  await app.prepare();
  const handle = app.getRequestHandler();

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await handle(request, response);
    } catch (error) {
      console.error(error);
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    }
  }

  let stopping = false;
  async function stop(signal: "SIGTERM" | "SIGINT"): Promise<void> {
    // Ctrl-C in a terminal sends the signal twice: from the terminal and from npm.
    if (stopping) return;
    stopping = true;
    // Closes the connections for hot reload, which browsers keep open.
    if (development) server.closeAllConnections();
    await shutDown(server);
    await app.close();
    process.exit(128 + constants.signals[signal]);
  }
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  server.on("error", (error) => {
    console.error(`The server cannot listen on port ${port}: ${error.message}`);
    process.exit(1);
  });
  server.listen(port, hostname);
}
