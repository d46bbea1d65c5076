import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { onResponseHead } from "./on-response-head";

/**
 * Turns a 200 into a 304 for whoever has what it would send: who names this very answer's ETag, or, naming none, the
 * very time of its last change. Nobody else gets to see what was named: the framework takes `*` and any time to come
 * for an answer that the client has.
 */
export function sendNotModified({ method, headers }: IncomingMessage, response: ServerResponse): void {
  const { "if-none-match": etags, "if-modified-since": modifiedSince } = headers;
  delete headers["if-none-match"];
  delete headers["if-modified-since"];
  if (etags === undefined && modifiedSince === undefined) return;
  if (method !== "GET" && method !== "HEAD") return;
  const isKnown =
    etags === undefined
      ? () => response.getHeader("last-modified") === modifiedSince
      : () => etagsOf(etags).includes(etagsOf(String(response.getHeader("etag")))[0] ?? "none");
  onResponseHead(response, (status) => (status === 200 && isKnown() ? 304 : status));
}

/** The entity tags of a header, whether strong or weak: for a copy of an answer they mean the same. */
function etagsOf(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [];
}
