import "server-only";
import type { NextRequest } from "next/server";
import { isNavigation } from "@/lib/http/navigation";
import { pages } from "@/lib/http/pages";
import { readSharedText } from "@/lib/flow/shared-text";
import { handleRequest } from "./handle-request";
import { readRequestBody } from "./request-body";
import type { RouteName } from "@/lib/server/metrics/route-names";
import { writeSharedText } from "@/lib/server/cookies/shared-text-cookie";

/** Content type that browsers send for HTML forms by default. */
const formType = "application/x-www-form-urlencoded";

/**
 * Creates the route handler for text that a visitor shares from another app (Web Share Target). The handler
 * stores the text in a cookie and redirects to the home page. It accepts every origin, because the share menu is no page
 * of this site.
 */
export function sharedTextRoute(name: RouteName): (request: NextRequest) => Promise<Response> {
  return (request) => {
    const handle = async () => {
      if (!isNavigation(request.headers)) return redirectHome(null);
      const fields = new URLSearchParams(await readRequestBody(request, formType));
      return redirectHome(readSharedText(fields));
    };
    // If the form data cannot be read, the handler stores an empty text.
    return handleRequest(name, request, handle, () => redirectHome(""));
  };
}

function redirectHome(sharedText: string | null): Response {
  // The location has no host, because behind a proxy the request URL may not contain the site's host.
  const headers = new Headers({ location: pages.home.path, "cache-control": "no-store" });
  if (sharedText !== null) writeSharedText(headers, sharedText);
  return new Response(null, { status: 303, headers });
}
