import "server-only";
import type { NextRequest } from "next/server";
import { sharedTextCookieName, sharedTextCookieSeconds } from "@/lib/config/limits";
import { getEnv } from "@/lib/server/config/env";
import { orderIdPattern } from "@/lib/server/likes/order-id";
import { cookieSettings, setCookie } from "./cookie-settings";

/** Maximum length of the percent-encoded shared text. Browsers ignore cookies over 4,096 bytes. */
const maxEncodedLength = 3_000;

/** Returns the order id from the rate-limit cookie, or null if it has no valid id. Clients can forge ids. */
export function readRateLimitId(request: NextRequest): string | null {
  const value = request.cookies.get(cookieSettings(getEnv()).rateLimitName)?.value ?? "";
  return orderIdPattern.test(value) ? value : null;
}

/** Stores an order id in the rate-limit cookie, which expires when the visitor's cooldown ends. */
export function writeRateLimitId(headers: Headers, id: string, maxAgeSeconds: number): void {
  const { rateLimitName, attributes } = cookieSettings(getEnv());
  setCookie(headers, { name: rateLimitName, value: id, ...attributes, maxAge: maxAgeSeconds });
}

/** Sets a cookie with text that a visitor shares from another app. The home page reads the cookie. */
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
