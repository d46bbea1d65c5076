import "server-only";
import { sharedTextCookieName, sharedTextCookieSeconds } from "@/lib/config/limits";
import { setCookie } from "./cookie";

/** Maximum length of the percent-encoded shared text. Browsers ignore cookies over 4,096 bytes. */
const maxEncodedLength = 3_000;

/** Sets a cookie with text that a visitor shares from another app. The home page reads the cookie. */
export function writeSharedText(headers: Headers, text: string): void {
  let encodedLength = 0;
  let end = 0;
  for (const character of text) {
    encodedLength += encodeURIComponent(character).length;
    if (encodedLength > maxEncodedLength) break;
    end += character.length;
  }
  setCookie(headers, {
    name: sharedTextCookieName,
    value: text.slice(0, end),
    httpOnly: false,
    sameSite: "strict",
    maxAge: sharedTextCookieSeconds,
  });
}
