import { pages } from "@/lib/routes";
import { sharedTextRoute } from "@/lib/server/api-route";
import { readSharedText } from "@/lib/shared-text";

/** Where the device's share menu sends a post, once the site is installed as an app: see app/manifest.ts. */
export const POST = sharedTextRoute("share", readSharedText);

/** For whoever opens the address itself. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { location: pages.home.path } });
}
