import "server-only";
import { createHmac } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { NextRequest } from "next/server";
import { getEnv, type Env } from "./env";
import type { VisitorIdentity } from "./likes/ledger";
import { socketAddressHeader } from "./request-hook";
import { readRateLimitId } from "./session";

const fingerprintShape = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Who a request comes from, as keyed hashes: the address (IPv6 cut to /64) with the browser's fingerprint, or with the
 * user agent where there is none; the address alone; and the rate-limit cookie's id. Nothing is kept in the clear.
 */
export function identifyVisitor(request: NextRequest): VisitorIdentity {
  const env = getEnv();
  const address = addressOf(request);
  const fingerprint = request.headers.get("x-visitor-fingerprint") ?? "";
  const browser = fingerprintShape.test(fingerprint)
    ? `fingerprint ${fingerprint}`
    : `user agent ${request.headers.get("user-agent") ?? ""}`;
  return {
    visitorHashes: keyedHashes(env.visitorHashSecrets, `visitor\n${address}\n${browser}`),
    addressHashes: keyedHashes(env.visitorHashSecrets, `address\n${address}`),
    cookieId: readRateLimitId(request),
  };
}

/** The address that a request counts under, for the health check: whoever asks is told his own. Never kept, never logged. */
export function addressOf(request: NextRequest): string {
  return normalizeAddress(clientAddress(request.headers, getEnv().clientAddress));
}

/**
 * The client's address by the configured trust: a header that the proxy overwrites; the Nth address from the right of
 * `x-forwarded-for`; or the socket's, which the start-up hook wrote over whatever the client sent. A request that did
 * not come through the proxy falls back to the socket.
 */
export function clientAddress(headers: Headers, trust: Env["clientAddress"]): string {
  const socket = headers.get(socketAddressHeader) ?? "";
  if (trust.header) return headers.get(trust.header)?.trim() || socket;
  if (trust.proxyHops > 0) {
    const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
    return forwarded.at(-trust.proxyHops) || socket;
  }
  return socket;
}

/**
 * One spelling per address: IPv4 also when it came mapped into IPv6, and IPv6 cut to /64, because a household or a
 * phone has a whole /64 to choose from. Anything else becomes "unknown", which all such requests share.
 */
export function normalizeAddress(text: string): string {
  if (!ipaddr.isValid(text)) return "unknown";
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString().split("%")[0]}/64`).toString();
}

function keyedHashes(secrets: readonly string[], text: string): string[] {
  return secrets.map((secret) => createHmac("sha256", secret).update(text).digest("base64url"));
}
