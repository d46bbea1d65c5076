import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { onResponseHead } from "./on-response-head";

/** Sends 304 instead of 200 when the client's ETag, or without ETags the date, matches the response. */
export function sendNotModified({ method, headers }: IncomingMessage, response: ServerResponse): void {
  const { "if-none-match": etags, "if-modified-since": modifiedSince } = headers;
  // Hides both headers from Next, which would also send 304 for `*` and for future dates.
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

/** Returns the quoted tags of a header without `W/`: If-None-Match compares weakly (RFC 9110, 13.1.2). */
function parseEtags(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [];
}
