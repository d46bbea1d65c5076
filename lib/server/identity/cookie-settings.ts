import "server-only";
import { stringifySetCookie, type SetCookie } from "cookie";
import type { Env } from "@/lib/server/config/env";

/** Returns names and attributes of the site's cookies. The names start with `__Host-` on https sites. */
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

/** Appends a Set-Cookie header. Cookie functions of Next.js are slower, because they copy all headers. */
export function setCookie(headers: Headers, cookie: SetCookie): void {
  headers.append("set-cookie", stringifySetCookie(cookie));
}
