import "server-only";
import { createHmac } from "node:crypto";
import type { NextRequest } from "next/server";
import { AppError } from "@/lib/http/errors";
import { getEnv, type Env } from "@/lib/server/config/env";
import { networksOf, normalizeAddress } from "./networks";
import type { VisitorIdentity } from "./visitor-identity";
import { log } from "@/lib/server/ops/log";
import { socketAddressHeader } from "@/lib/server/http-guard/http-guard";
import { readRateLimitId } from "./visitor-cookies";

const fingerprintShape = /^[A-Za-z0-9_-]{1,64}$/;

/** 132 bits: a record of an order names several. */
const networkHashLength = 22;

/** Seconds that a visitor without an address is told to wait: somebody has to correct a setting. */
const retryAfterSeconds = 60;
/** Between two lines in the log about it. */
const reportEveryMs = 60_000;

/**
 * Who a request comes from, as keyed hashes: the address (IPv6 cut to /64) with the browser's fingerprint, or with the
 * user agent where there is none; the address alone; the networks it lies in; and the rate-limit cookie's id. Nothing is kept in the clear.
 * Throws `service_unavailable` for a request whose address cannot be read: all of them together would be one visitor.
 */
export function identifyVisitor(request: NextRequest): VisitorIdentity {
  const env = getEnv();
  const address = readAddress(request);
  if (address === null) {
    reportUnreadable(env.clientAddress);
    throw new AppError("service_unavailable", { retryAfterSeconds });
  }
  const fingerprint = request.headers.get("x-visitor-fingerprint") ?? "";
  const browser = fingerprintShape.test(fingerprint)
    ? `fingerprint ${fingerprint}`
    : `user agent ${request.headers.get("user-agent") ?? ""}`;
  return {
    visitorHashes: keyedHashes(env.visitorHashSecrets, `visitor\n${address}\n${browser}`),
    addressHashes: addressHashes(address),
    networks: networksOf(address).map(({ kind, network }) => ({
      kind,
      hashes: keyedHashes(env.visitorHashSecrets, `network\n${network}`).map((hash) =>
        hash.slice(0, networkHashLength),
      ),
    })),
    cookieId: readRateLimitId(request),
  };
}

/** The address of a request as `identifyVisitor` names it, or null for one that cannot be read. */
export function hashAddress(request: NextRequest): string[] | null {
  const address = readAddress(request);
  return address === null ? null : addressHashes(address);
}

/**
 * The address that a request counts under, for the health check: whoever asks is told his own; "unknown" for one that
 * cannot be read. Never kept, never logged.
 */
export function requestAddress(request: NextRequest): string {
  return readAddress(request) ?? "unknown";
}

function readAddress({ headers }: NextRequest): string | null {
  return normalizeAddress(clientAddress(headers, getEnv().clientAddress));
}

/**
 * The client's address by the configured trust, as it was written: a header that the proxy overwrites; the Nth address
 * from the right of `x-forwarded-for`; or, where neither is configured, the socket's, which the door wrote over whatever
 * the client sent. Empty when it is not where it should be: a request that passed by the proxy is nobody's.
 */
export function clientAddress(headers: Headers, { header, proxyHops }: Env["clientAddress"]): string {
  if (header) return headers.get(header)?.trim() ?? "";
  if (proxyHops === 0) return headers.get(socketAddressHeader) ?? "";
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",");
  return forwarded.at(-proxyHops)?.trim() ?? "";
}

let reportedAt = -Infinity;

/** What came in place of an address is not told: it may be anything. */
function reportUnreadable({ header, proxyHops }: Env["clientAddress"]): void {
  const now = performance.now();
  if (now - reportedAt < reportEveryMs) return;
  reportedAt = now;
  const missing = header
    ? `TRUSTED_IP_HEADER is ${header}, but a request came without an address in it`
    : proxyHops > 0
      ? `TRUSTED_PROXY_HOPS is ${proxyHops}, but a request's x-forwarded-for has no address at that place`
      : "TRUSTED_IP_HEADER and TRUSTED_PROXY_HOPS are unset, but a request came without its socket's address";
  log.error("configuration", {
    warning: `${missing}: such requests are answered with 503; set it to what your proxy writes, and let nobody past it`,
  });
}

function addressHashes(address: string): string[] {
  return keyedHashes(getEnv().visitorHashSecrets, `address\n${address}`);
}

function keyedHashes(secrets: readonly string[], text: string): string[] {
  return secrets.map((secret) => createHmac("sha256", secret).update(text).digest("base64url"));
}
