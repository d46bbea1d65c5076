import type { StoredKey } from "@/testing/redis-contents";

interface Content {
  order?: string;
  orders?: object;
  hours?: object;
  lost?: object;
}

const always = () => true;
const hasCounts = ({ orders, hours, lost }: Content) =>
  Object.keys({ ...orders, ...hours, ...lost }).length > 0;
const ofNetworks = "How many requests came from an address";

/**
 * Each kind of Redis key, how its entry in the privacy policy's list begins, and when the longer life applies of an entry
 * with two lives, for example "1 minute; 24 hours after a request for likes".
 */
export const keyKinds: [pattern: RegExp, entry: string, isLonger?: (content: Content) => boolean][] = [
  [/^\{likes\}:v2:order:/, "The record of a request"],
  [/^\{likes\}:v2:pending$/, "The record of a request"],
  [/^\{likes\}:v2:claim:/, "The record of a request"],
  [/^\{likes\}:v2:visitor:/, "Your waiting time", ({ order }) => order !== undefined],
  [/^\{likes\}:v2:address:/, ofNetworks, hasCounts],
  [/^\{likes\}:v2:network:/, ofNetworks, hasCounts],
  [/^\{likes\}:lookup:flow:/, "How often a post was looked up"],
  [/^\{likes\}:lookup:shares:/, ofNetworks, always],
  [/^burst:(?:verify|rejectedVerify|notFoundReport):/, ofNetworks],
  [/^\{inbox\}:v1:request:/, "That a message was sent"],
  [/^\{inbox\}:v1:shares:/, ofNetworks, always],
  [/^\{captcha\}:accepted:/, ofNetworks],
  [/^\{captcha\}:used:/, "That a human check was used"],
  [/^\{likes\}:v2:budget:/, "Total of likes per day"],
  [/^not-found:paths$/, "Addresses of pages that were not found"],
  [/^lookup:cool-off$/, "That the lookup service asked us to pause"],
  [/^\{inbox\}:v1:(?:message:|(?:unmailed|stored|mails-taken)$)/, "Messages that you send us"],
];

/** Returns a problem for each unknown key, and for each key that lives longer than the privacy policy says. */
export function findLongLives(stored: StoredKey[], policyHtml: string): string[] {
  const entries = Array.from(policyHtml.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g));
  return stored.flatMap(({ key, value, lifeSeconds }) => {
    const [, label, isLonger] = keyKinds.find(([pattern]) => pattern.test(key)) ?? [];
    if (!label) return [`${key} is of no known kind`];
    const lives = parseLives(entries.find(([, entry]) => entry!.startsWith(label))?.[2] ?? "");
    const isRecord = typeof value === "string" && value.startsWith("{");
    const content = isRecord ? (JSON.parse(value) as Content) : {};
    const stated = (isLonger?.(content) ? lives.at(-1) : lives[0]) ?? 0;
    return lifeSeconds <= stated ? [] : [`${key} lives ${lifeSeconds} s, the policy says ${stated} s`];
  });
}

/** Returns the lives in seconds of an entry. */
function parseLives(text: string): number[] {
  const units = { day: 86_400, hour: 3_600, minute: 60 };
  let seconds = 0;
  return Array.from(text.matchAll(/(\d+)(?: (day|hour|minute)s?)?/g), ([, count, name]) => {
    // "24 hours; 48 while a request is open": a number without a unit has the unit before.
    if (name) seconds = units[name as keyof typeof units];
    return Number(count) * seconds;
  });
}
