import "server-only";
import type { IncomingMessage } from "node:http";
import type { Env } from "@/lib/server/config/env";
import { clientAddress } from "@/lib/server/identity/identify-visitor";
import { normalizeAddress } from "@/lib/server/identity/networks";
import { createLocalCounter } from "./local-counter";

/**
 * Number of pages that one address gets from each process in `windowSeconds`: 300 a minute, in short bursts. A
 * page needs 1 to 5 ms of CPU time, and a visit has about five pages.
 */
const pagesPerWindow = 100;
const windowSeconds = 20;

/**
 * API routes have their own limits, and a page loads up to ten assets. All other paths count as pages, because a
 * path without a page costs as much as a page.
 */
const uncounted = /^\/(?:api|_next\/static|site)\//;

/**
 * Creates a function that counts a request for a page. Returns the time in seconds after which the client may
 * send the request again, or 0 if the address is within the limit or unreadable.
 */
export function createPageLimit(
  { clientAddress: source, rateLimitScale }: Pick<Env, "clientAddress" | "rateLimitScale">,
  now?: () => number,
): (request: IncomingMessage) => number {
  const countRequest = createLocalCounter(windowSeconds, { now });
  return ({ url = "", headers }) => {
    // Next.js resolves dot segments, for example in /api/../success. So does URL.
    if (uncounted.test(new URL(`http://host${url}`).pathname)) return 0;
    const get = (name: string) => headers[name]?.toString() ?? null;
    const address = normalizeAddress(clientAddress({ get }, source));
    if (address === null) return 0;
    const count = countRequest(address);
    // The counter returns Infinity when it is full. Then people with new addresses still get pages.
    return count > pagesPerWindow * rateLimitScale && Number.isFinite(count) ? windowSeconds : 0;
  };
}
