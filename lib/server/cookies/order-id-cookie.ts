import "server-only";
import type { NextRequest } from "next/server";
import { rateLimitCookieName } from "@/lib/config/limits";
import { orderIdPattern } from "./order-id";
import { cookieName, setCookie } from "./cookie";

/** Returns the order id from the rate-limit cookie, or null if it has no valid id. Clients can forge ids. */
export function readOrderId({ cookies }: NextRequest): string | null {
  const value = cookies.get(cookieName(rateLimitCookieName))?.value ?? "";
  return orderIdPattern.test(value) ? value : null;
}

/** Stores an order id in the rate-limit cookie, which expires when the visitor's cooldown ends. */
export function writeOrderId(headers: Headers, id: string, maxAgeSeconds: number): void {
  setCookie(headers, { name: cookieName(rateLimitCookieName), value: id, maxAge: maxAgeSeconds });
}
