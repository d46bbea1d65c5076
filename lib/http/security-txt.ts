/** Days until security.txt expires. RFC 9116 recommends less than a year. */
const validDays = 180;

export interface SecurityTxtOptions {
  contact: string;
  siteUrl: string;
  now: Date;
}

/** Returns the content of /.well-known/security.txt (RFC 9116), valid for 180 days from `now`. */
export function securityTxt({ contact, siteUrl, now }: SecurityTxtOptions): string {
  const expires = new Date(now.getTime() + validDays * 86_400_000);
  const fields = [
    `Contact: mailto:${contact}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    // RFC 9116 requires https for the canonical URL, so a site without https omits the field.
    ...(siteUrl.startsWith("https://") ? [`Canonical: ${siteUrl}/.well-known/security.txt`] : []),
  ];
  return `${fields.join("\n")}\n`;
}
