import "server-only";
import { stringifySetCookie, type SetCookie } from "cookie";
import type { Env } from "@/lib/server/config/env";

/** The path and attributes of both cookies; `__Host-` where the site has https. */
export function cookieSettings(env: Env) {
  const prefix = env.secureCookies ? "__Host-" : "";
  return {
    flowName: `${prefix}flow`,
    rateLimitName: `${prefix}rate-limit`,
    attributes: {
      httpOnly: true,
      secure: env.secureCookies,
      sameSite: "lax",
      path: "/",
    } satisfies Omit<SetCookie, "name" | "value">,
  };
}

/** Adds a cookie to an answer; the framework's own way to do so copies all headers for each. */
export function setCookie(headers: Headers, cookie: SetCookie): void {
  headers.append("set-cookie", stringifySetCookie(cookie));
}
