import "server-only";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { maxUserAgentLength } from "@/lib/config/limits";
import { errorTable } from "@/lib/http/errors";
import { normalizePath, writablePaths } from "@/lib/http/pages";
import { connectionLimits, isShuttingDown, limitResponse, trackConnection } from "./connections";
import { onResponseHead, sendNotModified } from "./response-head";

/** The value that Next.js sends with most 404 responses. */
const notFoundCaching = "private, no-cache, no-store, max-age=0, must-revalidate";

/** Request header that tells route handlers the socket's address. The guard replaces a client's value. */
export const socketAddressHeader = "x-socket-address";

/** Internal request headers of Next.js. Forged headers could bypass the middleware (CVE-2025-29927). */
const internalHeaders = /^(?:x-middleware-|x-nextjs-|next-|rsc$)/;

/** Internal headers that the guard removes in development. Tools of Next.js need the other headers. */
const internalHeadersInDevelopment = /^x-middleware-/;

/** Conditional and range headers. Removed, because Next.js sends 500 when a condition fails. */
const unsupportedHeaders = /^(?:if-match|if-unmodified-since|if-range|range)$/;

/** Paths of the page data that the router of Next.js fetches, for example /faq.rsc. */
const routerPayloadPattern = /\.rsc\/?$/;

/**
 * Limits of what Next.js parses. Its CPU time grows with the square of the number of query parameters
 * (`searchParams.getAll` for each), and of the length of the User-Agent (the regular expression in its html-bots.js).
 */
const headLimits = {
  urlLength: 4_096,
  parameters: 100,
  headers: 100,
  /** Cookies of other sites on the same domain can be longer. */
  headerLength: 4_096,
  headLength: 32_768,
};

/** Texts of the guard's responses, which visitors may see. Visitors can delete the cookies of other sites on the domain. */
const refusals: Record<number, string> = {
  400: "This address is not correct.",
  404: "There is no such page.",
  405: "This page accepts no data.",
  414: "This address is too long.",
  431: "Your browser sent too much data. Please delete the cookies of this site, then reload this page.",
};

/** Returns 0, or the time in seconds after which the client may send a refused request again. */
type RequestLimit = (headers: Pick<Headers, "get">) => number;

declare global {
  var boost50HttpServer: Server | undefined;
  var boost50RequestLimit: RequestLimit | undefined;
}

/** Returns whether this process runs the server of `createHttpServer`. */
export function hasHttpServer(): boolean {
  // Next.js bundles this module again, so a module variable would exist twice.
  return globalThis.boost50HttpServer !== undefined;
}

/** Sets how long the server keeps idle connections open. */
export function setKeepAlive(seconds: number): void {
  if (globalThis.boost50HttpServer) globalThis.boost50HttpServer.keepAliveTimeout = seconds * 1_000;
}

/** Sets the limit that this process applies to every request before Next.js handles the request. */
export function setRequestLimit(limit: RequestLimit): void {
  globalThis.boost50RequestLimit = limit;
}

/** Counts a request for its address. Returns 0, or the seconds to wait if the address is above its limit. */
export function countRequest(headers: Pick<Headers, "get">): number {
  return globalThis.boost50RequestLimit?.(headers) ?? 0;
}

/** Number of checks for late requests per time limit. Node's default interval (30 s) is too long. */
const checksPerTimeLimit = 30;

/**
 * Creates the site's HTTP server, which does not listen yet. The server limits connections, rejects requests that
 * the site does not support, cleans the headers, and passes all other requests to `handle`.
 * See docs/decisions/0013-http-server.md.
 *
 * @param development allows the methods and headers that the development tools of Next.js use
 */
export function createHttpServer(
  handle: RequestListener,
  { limits = connectionLimits, development = false } = {},
): Server {
  const server = createServer(
    {
      headersTimeout: limits.requestTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.requestTimeoutMs / checksPerTimeLimit,
      // Above this limit, Node sends its own 431 without a text.
      maxHeaderSize: 2 * headLimits.headLength,
    },
    (request, response) => {
      limitResponse(response, limits);
      request.url = resolveUrl(request.url);
      const direct = findDirectResponse(request, development);
      if (direct !== null) {
        const text = refusals[direct.status] ?? "";
        const headers = text ? { connection: "close", "content-type": "text/plain" } : {};
        response
          .writeHead(direct.status, { "content-length": text.length, ...headers, ...direct.headers })
          .end(text);
        return;
      }
      cleanHeaders(request, development ? internalHeadersInDevelopment : internalHeaders);
      const get = (name: string) => request.headers[name]?.toString() ?? null;
      const waitSeconds = development ? 0 : countRequest({ get });
      if (waitSeconds > 0) return refuseRequest(request, response, waitSeconds);
      sendNotModified(request, response);
      onResponseHead(response, (status) => {
        // Next.js lets shared caches keep the 404 responses of some paths for a year.
        if (status === 404) response.setHeader("cache-control", notFoundCaching);
        return status;
      });
      handle(request, response);
    },
  );
  globalThis.boost50HttpServer = server;
  return server.on("connection", trackConnection);
}

/** Path of the readiness check for proxies. The guard sends the response and logs nothing. */
const readyPath = "/api/ready";

/** Returns the response that the guard sends. Returns null if Next.js must handle the request. */
function findDirectResponse(
  { method = "", url = "", rawHeaders }: IncomingMessage,
  development: boolean,
): { status: number; headers?: Record<string, string> } | null {
  if (url === "" && method !== "TRACE") return { status: 400 };
  const [path = ""] = url.split("?", 1);
  if (path === readyPath)
    return { status: isShuttingDown() ? 503 : 200, headers: { "cache-control": "no-store" } };
  if (url.length > headLimits.urlLength || url.split("&").length > headLimits.parameters)
    return { status: 414 };
  if (hasExcessiveHeaders(rawHeaders)) return { status: 431 };
  // The server sends only whole pages, never page data. A cache could confuse page data with the page.
  if (!development && routerPayloadPattern.test(path)) return { status: 404 };
  const isRead = method === "GET" || method === "HEAD";
  const isWriteAllowed = method !== "TRACE" && (development || writablePaths.includes(normalizePath(path)));
  return isRead || isWriteAllowed ? null : { status: 405, headers: { allow: "GET, HEAD" } };
}

/**
 * Returns a URL without dot segments, as Next.js resolves it, so that guard and Next.js decide on the same path. Returns ""
 * for `*`, absolute URLs and malformed percent-encoding (which crashes Next.js).
 */
function resolveUrl(url = ""): string {
  if (!url.startsWith("/")) return "";
  try {
    const { pathname, search } = new URL(`http://host${url}`);
    decodeURIComponent(pathname);
    return pathname + search;
  } catch {
    return "";
  }
}

/** @param rawHeaders names and values in turn */
function hasExcessiveHeaders(rawHeaders: readonly string[]): boolean {
  if (rawHeaders.length > 2 * headLimits.headers || rawHeaders.join().length > headLimits.headLength)
    return true;
  return rawHeaders.some((text, n) => {
    const isAllowed = n % 2 === 1 && /^(?:cookie|user-agent)$/i.test(rawHeaders[n - 1] ?? "");
    return !isAllowed && text.length > headLimits.headerLength;
  });
}

function refuseRequest({ url = "" }: IncomingMessage, response: ServerResponse, waitSeconds: number): void {
  const isApi = url.startsWith("/api/");
  const { status, message } = errorTable.rate_limited;
  const text = isApi
    ? JSON.stringify({ success: false, code: "rate_limited", message })
    : `Too many requests. Please wait ${waitSeconds} seconds, then reload this page.\n`;
  const headers = {
    "retry-after": String(waitSeconds),
    "cache-control": "private, no-store",
    "content-type": isApi ? "application/json" : "text/plain; charset=utf-8",
  };
  response.writeHead(status, headers).end(text);
}

function cleanHeaders({ headers, socket }: IncomingMessage, internal: RegExp): void {
  for (const name of Object.keys(headers)) {
    if (internal.test(name) || unsupportedHeaders.test(name)) delete headers[name];
  }
  headers["user-agent"] &&= headers["user-agent"].slice(0, maxUserAgentLength);
  headers[socketAddressHeader] = socket.remoteAddress ?? "";
}
