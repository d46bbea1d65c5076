import "server-only";
import { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { limitResponse, limitConnection, isShuttingDown, type ConnectionLimits } from "./connection-limits";
import { sendNotModified } from "./not-modified";

/** Carries the socket's address to handlers, which see no socket; over whatever a client has sent under this name. */
export const socketAddressHeader = "x-socket-address";

/**
 * The framework's words to itself, between middleware, router and pages. By them it has been talked out of its
 * middleware, and gives its own form of a page under the page's address.
 */
const internalHeaders = /^(?:x-middleware-|x-nextjs-|next-|rsc$)/;

/** In development the framework's own tools talk to it by internal headers, other methods and upgraded connections. */
const internalHeadersInDevelopment = /^x-middleware-/;

/** Of writers and resumed downloads, which are not here. One that does not hold the framework answers with a 500. */
const conditions = /^(?:if-match|if-unmodified-since|if-range|range)$/;

/** The addresses under which the framework keeps its own form of pages. */
const routerForm = /^[^?]*\.rsc\/?(?:\?|$)/;

let installed = false;

/**
 * Puts itself before whatever else answers requests of this process's HTTP servers: refuses what nobody here takes,
 * bounds how long a connection may take, leaves out what is the framework's own business, writes the socket's address
 * into a header (over whatever a client may have sent), and answers 304 to who has the answer.
 *
 * @param options.limits in place of the usual ones, for tests
 * @param options.development leaves the framework's own tools their ways in
 * @returns what takes it away again: a process of tests has servers of others after it
 */
export function installHttpGuard({
  limits,
  development = false,
}: { limits?: ConnectionLimits; development?: boolean } = {}): () => void {
  if (installed) return () => undefined;
  installed = true;
  const emit = Server.prototype.emit as (event: string, ...args: unknown[]) => boolean;
  Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]) {
    const [first, second] = args;
    if (event === "connection" && first instanceof Socket) {
      limitConnection(this, first, limits);
      // Without a listener Node takes no notice of an offer to speak something else, and answers it as plain HTTP. An
      // upgraded connection would be out of reach of every limit here.
      if (!development) this.removeAllListeners("upgrade");
    }
    if (event === "request" && first instanceof IncomingMessage && second instanceof ServerResponse) {
      // Those that were open before this was installed.
      limitConnection(this, first.socket, limits);
      limitResponse(second, limits);
      const own = ownAnswerTo(first, development);
      if (own !== null) {
        const headers = own.status === 200 ? {} : { connection: "close" };
        second.writeHead(own.status, { "content-length": 0, ...headers, ...own.headers }).end();
        return true;
      }
      cleanHeaders(first, development ? internalHeadersInDevelopment : internalHeaders);
      sendNotModified(first, second);
    }
    return emit.call(this, event, ...args);
  };
  return () => {
    Server.prototype.emit = emit;
    installed = false;
  };
}

/** Where a web server asks, several times a second, whether to send requests here: no route, no line in the log. */
const readyPath = "/api/ready";

interface OwnAnswer {
  status: number;
  headers?: Record<string, string>;
}

/**
 * A target that is no path (`*`, or a whole address) is for proxies; we are none. One that stands for no text makes the
 * framework fail. Pages are had as whole pages alone, so
 * that no cache mixes them up with another form. Only the API takes anything but questions.
 */
function ownAnswerTo({ method = "", url = "" }: IncomingMessage, development: boolean): OwnAnswer | null {
  if (method !== "TRACE" && !isPath(url)) return { status: 400 };
  if (url === readyPath)
    return { status: isShuttingDown() ? 503 : 200, headers: { "cache-control": "no-store" } };
  if (!development && routerForm.test(url)) return { status: 404 };
  const isQuestion = method === "GET" || method === "HEAD";
  const mayBeTaken = method !== "TRACE" && (development || url.startsWith("/api/"));
  return isQuestion || mayBeTaken ? null : { status: 405, headers: { allow: "GET, HEAD" } };
}

function isPath(url: string): boolean {
  try {
    decodeURIComponent(url.replace(/\?.*$/, ""));
    return url.startsWith("/");
  } catch {
    return false;
  }
}

function cleanHeaders({ headers, socket }: IncomingMessage, internal: RegExp): void {
  for (const name of Object.keys(headers)) {
    if (internal.test(name) || conditions.test(name)) delete headers[name];
  }
  headers[socketAddressHeader] = socket.remoteAddress ?? "";
}
