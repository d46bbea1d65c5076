import type { StoredKey } from "@/testing/redis-contents";

/** Each kind of Redis key, and how its entry in the privacy policy's list begins. */
export const keyKinds: readonly (readonly [pattern: RegExp, entry: string])[] = [
  [/^\{likes\}:v2:order:/, "The record of a request"],
  [/^\{likes\}:v2:pending$/, "The record of a request"],
  [/^\{likes\}:v2:claim:/, "The record of a request"],
  [/^\{likes\}:v2:visitor:/, "Your waiting time"],
  [/^\{likes\}:v2:address:/, "How many requests came from an address"],
  [/^\{likes\}:v2:network:/, "How many requests came from an address"],
  [/^\{lookup\}:flow:/, "How often a post was looked up"],
  [/^\{lookup\}:shares:/, "How many requests came from an address"],
  [/^burst:(?:verify|rejectedVerify|notFoundReport):/, "How many requests came from an address"],
  [/^\{inbox\}:v1:request:/, "That a message was sent"],
  [/^\{inbox\}:v1:shares:/, "How many requests came from an address"],
  [/^\{captcha\}:accepted:/, "How many requests came from an address"],
  [/^\{captcha\}:used:/, "That a human check was used"],
  [/^\{likes\}:v2:budget:/, "Total of likes per day"],
  [/^not-found:paths$/, "Addresses of pages that were not found"],
  [/^lookup:cool-off$/, "That the lookup service asked us to pause"],
  [/^\{inbox\}:v1:(?:message:|(?:unmailed|stored|mails-taken)$)/, "Messages that you send us"],
];

/** Returns a problem for each unknown key, and for each key that lives longer than the privacy policy says. */
export function findLongLives(stored: StoredKey[], policyHtml: string): string[] {
  const entries = readList(policyHtml);
  return stored.flatMap(({ key, value, lifeSeconds }) => {
    const kind = keyKinds.find(([pattern]) => pattern.test(key));
    if (!kind) return [`${key} is of no known kind`];
    const lives = entries.find(([label]) => label.startsWith(kind[1]))?.[1] ?? [];
    // Some entries name two lives, for example "1 minute; 24 hours after a request for likes".
    const record = readRecord(value);
    const isOfNetwork = /^\{likes\}:v2:(?:address|network):/.test(key);
    const counts = Object.keys({ ...record.orders, ...record.hours, ...record.lost });
    const isShare = /^(?:\{lookup\}|\{inbox\}:v1):shares:/.test(key);
    const isLonger = isShare || (isOfNetwork ? counts.length > 0 : record.order !== undefined);
    const stated = (isLonger ? lives.at(-1) : lives[0]) ?? 0;
    return lifeSeconds <= stated ? [] : [`${key} lives ${lifeSeconds} s, the policy says ${stated} s`];
  });
}

function readRecord(value: unknown): { order?: string; orders?: object; hours?: object; lost?: object } {
  return typeof value === "string" && value.startsWith("{") ? (JSON.parse(value) as object) : {};
}

/** Returns the label and the lives in seconds of each entry. */
function readList(html: string): [label: string, lives: number[]][] {
  const entries = html.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g);
  return Array.from(entries, ([, label = "", life = ""]) => [label, parseLives(life)]);
}

function parseLives(text: string): number[] {
  const units = { day: 86_400, hour: 3_600, minute: 60 };
  let seconds = 0;
  return Array.from(text.matchAll(/(\d+)(?: (day|hour|minute)s?)?/g), ([, count, name]) => {
    // "24 hours; 48 while a request is open": a number without a unit has the unit before.
    if (name) seconds = units[name as keyof typeof units];
    return Number(count) * seconds;
  });
}
