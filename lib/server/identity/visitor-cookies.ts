import "server-only";
import type { NextRequest } from "next/server";
import { sharedTextCookieName, sharedTextSeconds } from "@/lib/config/limits";
import { getEnv } from "@/lib/server/config/env";
import { orderIdPattern } from "@/lib/server/likes/order-id";
import { cookieSettings, setCookie } from "./cookie-settings";

/** Percent-encoded. A browser drops a cookie of more than 4,096 bytes without a word. */
const maxSharedTextLength = 3_000;

/** The order that the rate-limit cookie names, or null. Means something only when the ledger knows it. */
export function readRateLimitId(request: NextRequest): string | null {
  const value = request.cookies.get(cookieSettings(getEnv()).rateLimitName)?.value ?? "";
  return orderIdPattern.test(value) ? value : null;
}

/** Sets the rate-limit cookie for the rest of a cooldown. */
export function writeRateLimitId(headers: Headers, id: string, lifeSeconds: number): void {
  const { rateLimitName, attributes } = cookieSettings(getEnv());
  setCookie(headers, { name: rateLimitName, value: id, ...attributes, maxAge: lifeSeconds });
}

/**
 * Hands a shared text to the link field, percent-encoded and cut to what a cookie holds. The script of the page reads
 * it, so it is open to scripts; the server never does, so no request from another site has to bring it.
 */
export function writeSharedText(headers: Headers, text: string): void {
  let encodedLength = 0;
  let end = 0;
  for (const character of text) {
    encodedLength += encodeURIComponent(character).length;
    if (encodedLength > maxSharedTextLength) break;
    end += character.length;
  }
  const { attributes } = cookieSettings(getEnv());
  setCookie(headers, {
    name: sharedTextCookieName,
    value: text.slice(0, end),
    ...attributes,
    httpOnly: false,
    sameSite: "strict",
    maxAge: sharedTextSeconds,
  });
}
