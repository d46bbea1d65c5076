import { securityTxt } from "@/lib/security-txt";
import { getSiteSettings } from "@/lib/server/env";

/** Its end of validity moves along, so it is written for every request; caches keep it for a day. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  const { securityContact, siteUrl } = getSiteSettings();
  return new Response(securityTxt({ contact: securityContact, siteUrl, now: new Date() }), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
}
