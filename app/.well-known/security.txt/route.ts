import { securityTxt } from "@/lib/http/security-txt";
import { getSiteSettings } from "@/lib/server/config/env";

/** Must be dynamic: the `Expires` date depends on the current day. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  const { securityContact, siteUrl } = getSiteSettings();
  return new Response(securityTxt({ contact: securityContact, siteUrl, now: new Date() }), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
}
