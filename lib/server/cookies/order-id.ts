import "server-only";
import { createHash } from "node:crypto";
import type { NextRequest } from "next/server";
import { rateLimitCookieName } from "@/lib/config/limits";
import { orderIdPattern } from "@/lib/schemas/order";
import { cookieName, setCookie } from "./cookie";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Derives an order id from the flow's id and the number of the order in that flow. The id contains 60 bits of
 * a hash. It is short enough to read out on the telephone.
 */
export function deriveOrderId(flowId: string, n: number): string {
  const hash = createHash("sha256").update(`order ${n} ${flowId}`).digest();
  const characters = Array.from(hash.subarray(0, 12), (byte) => alphabet[byte % alphabet.length]).join("");
  return characters.replace(/(.{4})(?=.)/g, "$1-");
}

/** Returns the order id from the rate-limit cookie, or null if it has no valid id. Clients can forge ids. */
export function readOrderId({ cookies }: NextRequest): string | null {
  const value = cookies.get(cookieName(rateLimitCookieName))?.value ?? "";
  return orderIdPattern.test(value) ? value : null;
}

/** Stores an order id in the rate-limit cookie, which expires when the visitor's cooldown ends. */
export function writeOrderId(headers: Headers, id: string, maxAgeSeconds: number): void {
  setCookie(headers, { name: cookieName(rateLimitCookieName), value: id, maxAge: maxAgeSeconds });
}
