import { pages } from "@/lib/http/routes";
import { sharedTextRoute } from "@/lib/server/http/shared-text-route";

/** Receives shared posts: the share target of the installed app (app/manifest.ts). */
export const POST = sharedTextRoute("share");

/** Redirects a visitor who opens this URL directly to the home page. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { location: pages.home.path } });
}
