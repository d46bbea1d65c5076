import { getSiteSettings } from "@/lib/server/config/env";

/** Next.js must not prerender this response, because its `Expires` date depends on the current day. */
export const dynamic = "force-dynamic";

/** Days until security.txt expires. RFC 9116 recommends less than a year. */
const validDays = 180;

/** Returns the contact for security reports in the format of RFC 9116. */
export function GET(): Response {
  const { supportEmail, siteUrl } = getSiteSettings();
  const fields = [
    `Contact: mailto:${supportEmail}`,
    `Expires: ${new Date(Date.now() + validDays * 86_400_000).toISOString()}`,
    "Preferred-Languages: en",
    // RFC 9116 requires https for the canonical URL, so a site without https omits the field.
    ...(siteUrl.startsWith("https://") ? [`Canonical: ${siteUrl}/.well-known/security.txt`] : []),
  ];
  return new Response(`${fields.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
}
