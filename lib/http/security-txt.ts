/** Days until the file has to be read anew. RFC 9116 asks for less than a year. */
const validDays = 180;

export interface SecurityTxtFacts {
  /** An e-mail address or an https address. */
  contact: string;
  /** The canonical origin. */
  siteUrl: string;
  now: Date;
}

/** The text of /.well-known/security.txt after RFC 9116, valid from `now` on for half a year. */
export function securityTxt({ contact, siteUrl, now }: SecurityTxtFacts): string {
  const expires = new Date(now.getTime() + validDays * 86_400_000);
  const fields = [
    `Contact: ${contact.startsWith("https://") ? contact : `mailto:${contact}`}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    // The RFC allows no address without TLS here: a local run names none.
    ...(siteUrl.startsWith("https://") ? [`Canonical: ${siteUrl}/.well-known/security.txt`] : []),
  ];
  return `${fields.join("\n")}\n`;
}
