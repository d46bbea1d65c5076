import { pages } from "@/lib/http/pages";
import { sharedTextRoute } from "@/lib/server/http/shared-text-route";

/** Receives a link or text that a visitor shares from another app. See `share_target` in app/manifest.ts. */
export const POST = sharedTextRoute("share");

/** Redirects visitors who open this URL in a browser to the home page. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { location: pages.home.path } });
}
