import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Sends 304 instead of 200 if a client's ETag matches the response. If the client sends no ETag, compares the
 * date in If-Modified-Since with Last-Modified. Without a web server, this is needed: Next.js does not compare the ETag of a
 * page, which is the id of the build (next.config.ts), and its files have only a date.
 */
export function sendNotModified({ method, headers }: IncomingMessage, response: ServerResponse): void {
  const { "if-none-match": etags, "if-modified-since": modifiedSince } = headers;
  // Hides If-None-Match and If-Modified-Since. Next.js would send 304 even for `*` and for future dates.
  delete headers["if-none-match"];
  delete headers["if-modified-since"];
  if (etags === undefined && modifiedSince === undefined) return;
  if (method !== "GET" && method !== "HEAD") return;
  const isUnchanged =
    etags === undefined
      ? () => response.getHeader("last-modified") === modifiedSince
      : () => parseEtags(etags).includes(parseEtags(String(response.getHeader("etag")))[0] ?? "none");
  onResponseHead(response, (status) => (status === 200 && isUnchanged() ? 304 : status));
}

/** Returns the ETags of a header without `W/`, because If-None-Match ignores `W/` (RFC 9110, 13.1.2). */
function parseEtags(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [];
}

/** Calls `mapStatus` just before the server sends the response head, and sends the returned status. */
export function onResponseHead(response: ServerResponse, mapStatus: (status: number) => number): void {
  const send = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => send(mapStatus(status), ...rest);
}
