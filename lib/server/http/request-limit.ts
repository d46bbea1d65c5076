import "server-only";
import type { Env } from "@/lib/server/config/env";
import { clientAddress } from "@/lib/server/identity/identify-visitor";
import { normalizeAddress } from "@/lib/server/identity/networks";
import { log } from "@/lib/server/log/log";
import { createLocalCounter } from "./local-counter";

/**
 * Number of requests of one address that each process handles in `windowSeconds`, in short bursts. A request needs 1 to 5 ms
 * of CPU time. A visit has about 20 requests behind a web server that serves the files, and 40 without one.
 */
const requestsPerWindow = 300;
const windowSeconds = 20;
const logIntervalMs = 60_000;

/**
 * Creates a function that counts a request of any kind, whatever its response will be. Returns the time in seconds after
 * which the client may send the request again, or 0 if the address is within the limit or unreadable.
 */
export function createRequestLimit(
  { clientAddress: source, rateLimitScale }: Pick<Env, "clientAddress" | "rateLimitScale">,
  now: () => number = Date.now,
): (headers: Pick<Headers, "get">) => number {
  const countRequest = createLocalCounter(windowSeconds, { now });
  let refused = 0;
  let loggedAt = -Infinity;
  return (headers) => {
    const address = normalizeAddress(clientAddress(headers, source));
    if (address === null) return 0;
    const count = countRequest(address);
    // The counter returns Infinity when it is full. Then people with new addresses still get responses.
    if (count <= requestsPerWindow * rateLimitScale || !Number.isFinite(count)) return 0;
    refused += 1;
    if (now() - loggedAt >= logIntervalMs) {
      log.warn("too many requests", { refused });
      loggedAt = now();
      refused = 0;
    }
    return windowSeconds;
  };
}
