import "server-only";
import type { NextRequest } from "next/server";
import { sharedTextCookieName, sharedTextCookieSeconds } from "@/lib/config/limits";
import { getEnv } from "@/lib/server/config/env";
import { orderIdPattern } from "@/lib/server/likes/order-id";
import { cookieSettings, setCookie } from "./cookie-settings";

/** Maximum length of the percent-encoded text. Browsers silently drop cookies over 4,096 bytes. */
const maxEncodedLength = 3_000;

/** Reads the order id from the rate-limit cookie, or null. Clients can forge this id. */
export function readRateLimitId(request: NextRequest): string | null {
  const value = request.cookies.get(cookieSettings(getEnv()).rateLimitName)?.value ?? "";
  return orderIdPattern.test(value) ? value : null;
}

/** Sets the rate-limit cookie for the rest of a cooldown. */
export function writeRateLimitId(headers: Headers, id: string, maxAgeSeconds: number): void {
  const { rateLimitName, attributes } = cookieSettings(getEnv());
  setCookie(headers, { name: rateLimitName, value: id, ...attributes, maxAge: maxAgeSeconds });
}

/** Stores a shared text for the link field. Only the page's script reads this cookie, not the server. */
export function writeSharedText(headers: Headers, text: string): void {
  let encodedLength = 0;
  let end = 0;
  for (const character of text) {
    encodedLength += encodeURIComponent(character).length;
    if (encodedLength > maxEncodedLength) break;
    end += character.length;
  }
  const { attributes } = cookieSettings(getEnv());
  setCookie(headers, {
    name: sharedTextCookieName,
    value: text.slice(0, end),
    ...attributes,
    httpOnly: false,
    sameSite: "strict",
    maxAge: sharedTextCookieSeconds,
  });
}
