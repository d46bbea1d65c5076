import "server-only";

/** Invisible format characters, except the zero-width joiners, which emoji and some scripts need. */
const formatCharacters = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/** Cleans text from an external service: one line, no control characters, at most `maxLength`. */
export function sanitizeText(text: string, maxLength: number): string {
  const line = text
    .replace(formatCharacters, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return Array.from(line).slice(0, maxLength).join("");
}
