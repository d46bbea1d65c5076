import "server-only";
import type { NextRequest } from "next/server";
import { pages } from "@/lib/http/routes";
import { readSharedText } from "@/lib/flow/shared-text";
import { handleRequest } from "./handle-request";
import { readRequestBody } from "./request-body";
import type { RouteName } from "./route-names";
import { writeSharedText } from "@/lib/server/identity/visitor-cookies";

/** What a form of HTML is sent as unless it says otherwise. */
const formType = "application/x-www-form-urlencoded";

/**
 * The target of a share from the device's menu, a form that the browser itself sends as a navigation. Whoever sends it
 * is looking at the screen: whatever it holds, they are led to the home page, whose link field takes the text over. One
 * that cannot be read (too large, another type, broken off) is an empty text there, and its line in the log names why.
 * Nothing is asked of Redis or of anybody else.
 *
 * @param name for the log and the metrics
 */
export function sharedTextRoute(name: RouteName): (request: NextRequest) => Promise<Response> {
  return (request) => {
    const handle = async () => {
      const fields = new URLSearchParams(await readRequestBody(request, formType));
      return leadHome(readSharedText(fields));
    };
    return handleRequest(name, request.method, handle, () => leadHome(""));
  };
}

function leadHome(sharedText: string): Response {
  // A path alone: behind a proxy the request's own address may not be the site's.
  const headers = new Headers({ location: pages.home.path, "cache-control": "no-store" });
  writeSharedText(headers, sharedText);
  return new Response(null, { status: 303, headers });
}
