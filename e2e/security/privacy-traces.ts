import { createHash } from "node:crypto";
import { sessionSecret } from "@/testing/servers/app-server";
import { webhookSecret } from "@/testing/servers/live-delivery";
import { metaMarker } from "@/testing/servers/lookup-servers";
import type { StoredKey } from "@/testing/redis-contents";
import { linkOf } from "@/testing/sample-posts";

/* The data that privacy.test.ts sends, and the search for this data in Redis and in the output of the servers. */

export const fingerprint = "fpMARK7d1c04b2f9e65a38";
export const userAgent = "Marked-Browser/77.3 (of the visitor)";
export const ipv4 = "203.0.113.177";
export const ipv6 = "2001:db8:7a3f:91c4:1b2c:3d4e:5f60:7182";
export const email = "marked.person@example.com";
export const person = {
  name: "Markworth Personson",
  email,
  subject: "A marked subject",
  message: "This marked message is nobody else's.",
  link: "https://www.instagram.com/marked.account/p/Cmarkedlink/",
};
/** Codes of the posts, by the test that uses them. */
export const codes = {
  accepted: "Cmarkacpt01",
  open: "Cmarkopen01",
  refused: "Cmarkrefu01",
  shown: "Cmarkshow01",
};
export const idempotencyKey = "idempotency-key-of-the-marked-visitor";

/** Text in the responses of external services. Redis may only contain the message of a refusal. */
export const serviceMarker = "WORDS-OF-A-SERVICE";
export const lookedUp = {
  username: "looked.up.account",
  caption: "LOOKED-UP-CAPTION",
  imageUrl: "https://images.example.com/LOOKED-UP-IMAGE.jpg",
};

export const secrets = {
  session: sessionSecret,
  visitorHash: "visitor-secret-of-the-tests-0123456789",
  webhook: webhookSecret,
  cron: "cron-secret-of-the-tests",
  health: "health-token-of-the-tests",
  oembed: "1234567890|oembed-token-of-the-tests",
  lookup: "lookup-secret-of-the-tests",
  captcha: "captcha-secret-of-the-tests",
  smtp: "smtp-password-of-the-tests",
};

/** Captcha tokens that were sent, and the hexadecimal values in them. */
export const tokens = new Set<string>();

/**
 * Returns a description of each place that contains forbidden data.
 *
 * @param output log lines and other output of the servers
 * @param flowCookies current flow cookies of all visitors
 */
export function findTraces(stored: StoredKey[], output: string, flowCookies: string[]): string[] {
  const search = (place: string, content: string, forbidden: readonly string[]) => {
    const lower = content.toLowerCase();
    return forbidden
      .filter((trace) => lower.includes(trace.toLowerCase()))
      .map((trace) => `${place} contains ${trace.slice(0, 60)}`);
  };
  const forbidden = [
    ...addressForms(),
    ...[fingerprint, userAgent, ...Object.values(codes).map(linkOf)].flatMap(formsOf),
    ...personal.flatMap(hashesOf),
    ...[idempotencyKey, ...Object.values(secrets), ...tokens].flatMap(spellingsOf),
    ...[metaMarker, "instagram-media", "provider_name", ...Object.values(lookedUp), ...flowCookies],
  ];
  const forbiddenInOutput = [
    ...[...Object.values(codes), ...personal].flatMap(formsOf),
    ...[serviceMarker, "marked", "EVALSHA", "HGETALL", "{likes}", "{inbox}"],
  ];
  const outsideInbox = personal.flatMap(spellingsOf);
  return [
    ...stored.flatMap(({ key, value }) => {
      const isMessage = key.startsWith("{inbox}:v1:message:");
      const traces = isMessage ? forbidden : [...forbidden, ...outsideInbox];
      return search(key, `${key} ${JSON.stringify(value)}`, traces);
    }),
    ...search("output", output, [...forbidden, ...forbiddenInOutput]),
  ];
}

const personal = Object.values(person);

/** The addresses as text, hexadecimal and base64, hashed without a key, and the /64 of the IPv6 address. */
function addressForms(): string[] {
  const v4 = Buffer.from(ipv4.split(".").map(Number));
  const groups = ipv6.split(":").map((group) => group.padStart(4, "0"));
  const v6 = Buffer.from(groups.join(""), "hex");
  const prefix = ipv6.split(":").slice(0, 4).join(":");
  const texts = [
    ...[ipv4, `::ffff:${ipv4}`, "::ffff:cb00:71b1", ipv6, groups.join(":"), groups.slice(0, 4).join(":")],
    ...["", "::", "::/64", ":0:0:0:0"].map((end) => prefix + end),
  ];
  // The product hashes the same texts, but with a key.
  const hashed = texts.flatMap((address) => [
    `address\n${address}`,
    `visitor\n${address}\nfingerprint ${fingerprint}`,
    `visitor\n${address}\nuser agent ${userAgent}`,
  ]);
  return [
    ...texts.flatMap(formsOf),
    ...hashed.flatMap(hashesOf),
    ...[v4, v6, v6.subarray(0, 8)].flatMap((bytes) => [...encodingsOf(bytes), ...hashesOf(bytes)]),
  ];
}

const formsOf = (value: string) => [...spellingsOf(value), ...hashesOf(value)];

const spellingsOf = (value: string) => [value, encodeURIComponent(value), ...encodingsOf(Buffer.from(value))];

function hashesOf(value: string | Buffer): string[] {
  return encodingsOf(createHash("sha256").update(value).digest());
}

function encodingsOf(bytes: Buffer): string[] {
  return [bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
}
