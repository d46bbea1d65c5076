import { securityTxt } from "@/lib/http/security-txt";
import { getSiteSettings } from "@/lib/server/config/env";

/** Next.js must not prerender this response, because its `Expires` date depends on the current day. */
export const dynamic = "force-dynamic";

/** Returns the contact for security reports in the format of RFC 9116. */
export function GET(): Response {
  const { supportEmail, siteUrl } = getSiteSettings();
  return new Response(securityTxt({ contact: supportEmail, siteUrl, now: new Date() }), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
}
