import "server-only";
import { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { limitResponse, limitConnection, isShuttingDown, type ConnectionLimits } from "./connection-limits";
import { sendNotModified } from "./not-modified";

/** Request header that tells route handlers the socket's address. The guard replaces a client's value. */
export const socketAddressHeader = "x-socket-address";

/** Internal request headers of Next.js. Forged headers could bypass the middleware (CVE-2025-29927). */
const internalHeaders = /^(?:x-middleware-|x-nextjs-|next-|rsc$)/;

/** Internal headers that the guard removes in development. Tools of Next.js need the other headers. */
const internalHeadersInDevelopment = /^x-middleware-/;

/** Conditional and range headers. Removed, because Next.js sends 500 when a condition fails. */
const unsupportedHeaders = /^(?:if-match|if-unmodified-since|if-range|range)$/;

/** URLs of the page data that the router of Next.js fetches, for example /faq.rsc. */
const routerPayloadPattern = /^[^?]*\.rsc\/?(?:\?|$)/;

let installed = false;

/**
 * Limits connections and checks requests of all HTTP servers in this process. See
 * docs/decisions/0013-http-guard.md.
 *
 * @returns a function that removes the guard, for tests
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
      // Node ignores upgrade requests if no listener exists. Time limits have no effect after an upgrade.
      if (!development) this.removeAllListeners("upgrade");
    }
    if (event === "request" && first instanceof IncomingMessage && second instanceof ServerResponse) {
      // Limits a connection that a client opened before the guard was installed.
      limitConnection(this, first.socket, limits);
      limitResponse(second, limits);
      const direct = findDirectResponse(first, development);
      if (direct !== null) {
        const headers = direct.status === 200 ? {} : { connection: "close" };
        second.writeHead(direct.status, { "content-length": 0, ...headers, ...direct.headers }).end();
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

/** Path of the readiness check for proxies. The guard sends the response and logs nothing. */
const readyPath = "/api/ready";

interface DirectResponse {
  status: number;
  headers?: Record<string, string>;
}

/** Returns the response that the guard sends. Returns null if Next.js must handle the request. */
function findDirectResponse(
  { method = "", url = "" }: IncomingMessage,
  development: boolean,
): DirectResponse | null {
  if (method !== "TRACE" && !isPath(url)) return { status: 400 };
  if (url === readyPath)
    return { status: isShuttingDown() ? 503 : 200, headers: { "cache-control": "no-store" } };
  // The server sends only whole pages. A cache could mix up a page and the data for the router.
  if (!development && routerPayloadPattern.test(url)) return { status: 404 };
  const isRead = method === "GET" || method === "HEAD";
  const isWriteAllowed = method !== "TRACE" && (development || url.startsWith("/api/"));
  return isRead || isWriteAllowed ? null : { status: 405, headers: { allow: "GET, HEAD" } };
}

/** Returns false for `*`, absolute URLs and malformed percent-encoding (which crashes Next.js). */
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
    if (internal.test(name) || unsupportedHeaders.test(name)) delete headers[name];
  }
  headers[socketAddressHeader] = socket.remoteAddress ?? "";
}
