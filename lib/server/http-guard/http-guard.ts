import "server-only";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import {
  connectionLimits,
  isShuttingDown,
  limitResponse,
  trackConnection,
  type ConnectionLimits,
} from "./connections";
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

/** Returns 0, or the time in seconds after which the client may send a refused request again. */
type PageLimit = (request: IncomingMessage) => number;

declare global {
  var boost50HttpServer: boolean | undefined;
  var boost50PageLimit: PageLimit | undefined;
}

/** Returns whether this process runs the server of `createHttpServer`. */
export function hasHttpServer(): boolean {
  // Next.js bundles this module again, so a module variable would exist twice.
  return globalThis.boost50HttpServer === true;
}

/** Sets the limit that the server of this process applies to requests before Next.js handles them. */
export function setPageLimit(limit: PageLimit): void {
  globalThis.boost50PageLimit = limit;
}

/** Number of checks for late requests per time limit. Node's default interval (30 s) is too long. */
const checksPerTimeLimit = 30;

/**
 * Creates the site's HTTP server, which does not listen yet. The server limits connections, rejects requests that
 * the site does not support, cleans the headers, and passes all other requests to `handle`.
 * See docs/decisions/0013-http-guard.md.
 *
 * @param development allows the methods and headers that the development tools of Next.js use
 */
export function createHttpServer(
  handle: RequestListener,
  {
    limits = connectionLimits,
    development = false,
  }: { limits?: ConnectionLimits; development?: boolean } = {},
): Server {
  globalThis.boost50HttpServer = true;
  const server = createServer(
    {
      headersTimeout: limits.requestTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.requestTimeoutMs / checksPerTimeLimit,
      keepAliveTimeout: limits.keepAliveMs,
    },
    (request, response) => {
      limitResponse(response, limits);
      const direct = findDirectResponse(request, development);
      if (direct !== null) {
        const headers = direct.status === 200 ? {} : { connection: "close" };
        response.writeHead(direct.status, { "content-length": 0, ...headers, ...direct.headers }).end();
        return;
      }
      cleanHeaders(request, development ? internalHeadersInDevelopment : internalHeaders);
      const waitSeconds = (!development && globalThis.boost50PageLimit?.(request)) || 0;
      if (waitSeconds > 0) return refuseRequest(response, waitSeconds);
      sendNotModified(request, response);
      handle(request, response);
    },
  );
  return server.on("connection", trackConnection);
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
  // The server sends only whole pages, never page data. A cache could confuse page data with the page.
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

function refuseRequest(response: ServerResponse, waitSeconds: number): void {
  const headers = {
    "retry-after": String(waitSeconds),
    "cache-control": "private, no-store",
    "content-type": "text/plain; charset=utf-8",
  };
  const text = `Too many requests. Please wait ${waitSeconds} seconds, then reload this page.\n`;
  response.writeHead(429, headers).end(text);
}

function cleanHeaders({ headers, socket }: IncomingMessage, internal: RegExp): void {
  for (const name of Object.keys(headers)) {
    if (internal.test(name) || unsupportedHeaders.test(name)) delete headers[name];
  }
  headers[socketAddressHeader] = socket.remoteAddress ?? "";
}
