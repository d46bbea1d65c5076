import "server-only";
import { createHmac } from "node:crypto";
import type { NextRequest } from "next/server";
import { AppError } from "@/lib/http/errors";
import type { NetworkKind } from "@/lib/config/limits";
import { getEnv, type Env } from "@/lib/server/config/env";
import { widerNetworks, normalizeAddress } from "./networks";
import { log } from "@/lib/server/log/log";
import { socketAddressHeader } from "@/lib/server/http-guard/http-guard";
import { readOrderId } from "@/lib/server/cookies/order-id";

/** Keyed hashes (HMAC) of an address and its networks. Hash lists have one hash per secret, newest secret first. */
export interface ClientNetworks {
  addressHashes: readonly string[];
  networks: readonly { kind: NetworkKind; hashes: readonly string[] }[];
}

/** Keyed hashes that identify a visitor. */
export interface VisitorIdentity extends ClientNetworks {
  visitorHashes: readonly string[];
  /** Order id from the rate-limit cookie, or null. */
  cookieOrderId: string | null;
}

const fingerprintPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Retry-After value, in seconds, of the 503 response to a request without a readable client address. */
const retryAfterSeconds = 60;
/** Minimum time between two log lines about an unreadable client address, in milliseconds. */
const reportIntervalMs = 60_000;

/**
 * Returns keyed hashes that identify a visitor. Throws `service_unavailable` if the client address is
 * unreadable. Otherwise, all visitors without an address would share one hash.
 */
export function identifyVisitor(request: NextRequest): VisitorIdentity {
  const address = readAddress(request);
  if (address === null) {
    reportUnreadable(getEnv().clientAddress);
    throw new AppError("service_unavailable", { retryAfterSeconds });
  }
  const fingerprint = request.headers.get("x-visitor-fingerprint") ?? "";
  const browser = fingerprintPattern.test(fingerprint)
    ? `fingerprint ${fingerprint}`
    : `user agent ${request.headers.get("user-agent") ?? ""}`;
  return {
    visitorHashes: keyedHashes(`visitor\n${address}\n${browser}`),
    addressHashes: keyedHashes(`address\n${address}`),
    networks: widerNetworks(address).map(({ kind, network }) => ({
      kind,
      hashes: keyedHashes(`network\n${network}`),
    })),
    cookieOrderId: readOrderId(request),
  };
}

/** Returns the client's IP address, or "unknown". Only a response to this client may contain the address. */
export function requestAddress(request: Pick<Request, "headers">): string {
  return readAddress(request) ?? "unknown";
}

function readAddress({ headers }: Pick<Request, "headers">): string | null {
  return normalizeAddress(clientAddress(headers, getEnv().clientAddress));
}

/**
 * Returns the client's address from the trusted header, if a header is configured. Otherwise, returns entry
 * `proxyHops` of `x-forwarded-for`, counted from the right, or the socket's address if `proxyHops` is 0.
 * Returns "" if the request bypassed the proxy.
 */
export function clientAddress(headers: Pick<Headers, "get">, { header, proxyHops }: Env["clientAddress"]) {
  if (header) return headers.get(header)?.trim() ?? "";
  if (proxyHops === 0) return headers.get(socketAddressHeader) ?? "";
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",");
  return forwarded.at(-proxyHops)?.trim() ?? "";
}

let reportedAt = -Infinity;

/** Logs at most once a minute that the client address is unreadable. Logs no text from the request. */
function reportUnreadable({ header, proxyHops }: Env["clientAddress"]): void {
  const now = performance.now();
  if (now - reportedAt < reportIntervalMs) return;
  reportedAt = now;
  const setting = header ? `TRUSTED_IP_HEADER is ${header}` : `TRUSTED_PROXY_HOPS is ${proxyHops}`;
  log.error("configuration", {
    warning:
      `${setting}, but a request came without an address at that place: such requests get a 503 response; ` +
      "set the variable that matches your proxy, and let no request bypass the proxy",
  });
}

function keyedHashes(text: string): string[] {
  return getEnv().visitorHashSecrets.map((secret) =>
    createHmac("sha256", secret).update(text).digest("base64url"),
  );
}
