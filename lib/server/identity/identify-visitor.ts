import "server-only";
import { createHmac } from "node:crypto";
import type { NextRequest } from "next/server";
import { AppError } from "@/lib/http/errors";
import { getEnv, type Env } from "@/lib/server/config/env";
import { widerNetworks, normalizeAddress } from "./networks";
import type { VisitorIdentity } from "./visitor-identity";
import { log } from "@/lib/server/ops/log";
import { socketAddressHeader } from "@/lib/server/http-guard/http-guard";
import { readRateLimitId } from "./visitor-cookies";

const fingerprintPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Length of a network hash: 22 base64url characters (132 bits). Order records store up to three hashes. */
const networkHashLength = 22;

/** Value of Retry-After in seconds if the client address is unreadable. The operator must fix a setting. */
const retryAfterSeconds = 60;
/** Minimum time between two log lines about an unreadable client address, in milliseconds. */
const reportIntervalMs = 60_000;

/**
 * Returns keyed hashes that identify a visitor. Throws `service_unavailable` if the client address is
 * unreadable, because all visitors without an address would have the same address hash.
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
      hashes: keyedHashes(`network\n${network}`).map((hash) => hash.slice(0, networkHashLength)),
    })),
    rateLimitId: readRateLimitId(request),
  };
}

/** Returns the same `addressHashes` as `identifyVisitor`, or null if the client address is unreadable. */
export function hashAddress(request: NextRequest): string[] | null {
  const address = readAddress(request);
  return address === null ? null : keyedHashes(`address\n${address}`);
}

/** Returns the client's plain IP address, or "unknown". Only a response to this client may contain it. */
export function requestAddress(request: NextRequest): string {
  return readAddress(request) ?? "unknown";
}

function readAddress({ headers }: NextRequest): string | null {
  return normalizeAddress(clientAddress(headers, getEnv().clientAddress));
}

/**
 * Returns the client's address. Reads the trusted header, or the entry of `x-forwarded-for` at position
 * `proxyHops` from the right, or the address of the socket. Returns "" if the request bypassed the proxy.
 */
export function clientAddress(headers: Headers, { header, proxyHops }: Env["clientAddress"]): string {
  if (header) return headers.get(header)?.trim() ?? "";
  if (proxyHops === 0) return headers.get(socketAddressHeader) ?? "";
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",");
  return forwarded.at(-proxyHops)?.trim() ?? "";
}

let reportedAt = -Infinity;

/** Logs a configuration error about an unreadable client address. Does not log the received text. */
function reportUnreadable({ header, proxyHops }: Env["clientAddress"]): void {
  const now = performance.now();
  if (now - reportedAt < reportIntervalMs) return;
  reportedAt = now;
  const missing = header
    ? `TRUSTED_IP_HEADER is ${header}, but a request came without an address in it`
    : proxyHops > 0
      ? `TRUSTED_PROXY_HOPS is ${proxyHops}, but a request's x-forwarded-for has no address at that place`
      : "TRUSTED_IP_HEADER and TRUSTED_PROXY_HOPS are unset, but a request came without its socket's address";
  log.error("configuration", {
    warning:
      `${missing}: such requests get a 503 response; set the variable that matches your proxy, ` +
      "and let no request bypass the proxy",
  });
}

function keyedHashes(text: string): string[] {
  return getEnv().visitorHashSecrets.map((secret) =>
    createHmac("sha256", secret).update(text).digest("base64url"),
  );
}
