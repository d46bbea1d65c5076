import { securityTxt } from "@/lib/http/security-txt";
import { getSiteSettings } from "@/lib/server/config/env";

/** Written for every request, because the date on which it expires moves with the day. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  const { securityContact, siteUrl } = getSiteSettings();
  return new Response(securityTxt({ contact: securityContact, siteUrl, now: new Date() }), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
}
