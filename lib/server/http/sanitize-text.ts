import "server-only";

/** Invisible characters that steer the text around them (directions, tags); emoji and some scripts need the joiners. */
const steering = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/** A service's words made fit for a page: one line, no control characters, at most `maxLength` characters. */
export function sanitizeText(text: string, maxLength: number): string {
  const line = text
    .replace(steering, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return Array.from(line).slice(0, maxLength).join("");
}
