import "server-only";
import type { NextRequest } from "next/server";
import { pages } from "@/lib/http/routes";
import { readSharedText } from "@/lib/flow/shared-text";
import { handleRequest } from "./handle-request";
import { readRequestBody } from "./request-body";
import type { RouteName } from "./route-names";
import { writeSharedText } from "@/lib/server/identity/visitor-cookies";

/** Default content type of an HTML form. */
const formType = "application/x-www-form-urlencoded";

/** Handles the Web Share Target form: stores the text in a cookie and redirects to the home page. */
export function sharedTextRoute(name: RouteName): (request: NextRequest) => Promise<Response> {
  return (request) => {
    const handle = async () => {
      const fields = new URLSearchParams(await readRequestBody(request, formType));
      return redirectHome(readSharedText(fields));
    };
    // An unreadable form counts as empty text.
    return handleRequest(name, request.method, handle, () => redirectHome(""));
  };
}

function redirectHome(sharedText: string): Response {
  // A relative location: behind a proxy, the request URL may have another host than the site.
  const headers = new Headers({ location: pages.home.path, "cache-control": "no-store" });
  writeSharedText(headers, sharedText);
  return new Response(null, { status: 303, headers });
}
