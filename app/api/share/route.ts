import { pages } from "@/lib/routes";
import { sharedTextRoute } from "@/lib/server/api-route";
import { readSharedText } from "@/lib/shared-text";

/** The share target of the installed app, named in app/manifest.ts. */
export const POST = sharedTextRoute("share", readSharedText);

/** Sends whoever opens the address itself to the home page. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { location: pages.home.path } });
}
