import "server-only";
import { stringifySetCookie, type SetCookie } from "cookie";
import { getEnv } from "@/lib/server/config/env";

/** Returns the full name of a cookie. The name starts with `__Host-` on https sites. */
export function cookieName(name: string): string {
  return getEnv().secureCookies ? `__Host-${name}` : name;
}

/**
 * Appends a Set-Cookie header for the whole site. `maxAge` is in seconds; 0 deletes the cookie. By default, scripts
 * cannot read the cookie. Cookie functions of Next.js are slower, because they copy all headers.
 */
export function setCookie(headers: Headers, cookie: SetCookie & { maxAge: number }): void {
  const attributes = { httpOnly: true, secure: getEnv().secureCookies, sameSite: "lax", path: "/" } as const;
  headers.append("set-cookie", stringifySetCookie({ ...attributes, ...cookie }));
}
