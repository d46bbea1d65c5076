import { pages } from "@/lib/http/routes";
import { sharedTextRoute } from "@/lib/server/http/shared-text-route";

/** Where the device's share menu sends a post, once the site is installed as an app: see app/manifest.ts. */
export const POST = sharedTextRoute("share");

/** Sends whoever opens the address itself to the home page. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { location: pages.home.path } });
}
