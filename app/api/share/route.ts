import type { NextRequest } from "next/server";
import { sharedTextCookieName, sharedTextCookieSeconds } from "@/lib/config/limits";
import { readSharedText } from "@/lib/flow/shared-text";
import { isNavigation } from "@/lib/http/navigation";
import { pages } from "@/lib/http/pages";
import { setCookie } from "@/lib/server/cookies/cookie";
import { handleRequest } from "@/lib/server/http/handle-request";
import { readRequestBody } from "@/lib/server/http/read-body";

/** Content type that browsers send for HTML forms by default. */
const formType = "application/x-www-form-urlencoded";
/** Maximum length of the percent-encoded shared text. Browsers ignore cookies over 4,096 bytes. */
const maxEncodedLength = 3_000;

/**
 * Receives a link or text that a visitor shares from another app (`share_target` in app/manifest.ts). Stores it in a cookie and
 * redirects to the home page. Accepts every origin, because the share menu is no page of this site.
 */
export function POST(request: NextRequest): Promise<Response> {
  const handle = async () => {
    if (!isNavigation(request.headers)) return redirectHome(null);
    const fields = new URLSearchParams(await readRequestBody(request, formType));
    return redirectHome(readSharedText(fields));
  };
  // If the form data cannot be read, the handler stores an empty text.
  return handleRequest("share", request, handle, () => redirectHome(""));
}

/** Redirects visitors who open this URL in a browser to the home page. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { location: pages.home.path } });
}

function redirectHome(sharedText: string | null): Response {
  // The location has no host, because behind a proxy the request URL may not contain the site's host.
  const headers = new Headers({ location: pages.home.path, "cache-control": "no-store" });
  if (sharedText !== null) writeSharedText(headers, sharedText);
  return new Response(null, { status: 303, headers });
}

/** Sets a cookie with text that a visitor shares from another app. The home page reads the cookie. */
function writeSharedText(headers: Headers, text: string): void {
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
