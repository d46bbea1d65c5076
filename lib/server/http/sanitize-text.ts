import "server-only";

/** Invisible characters and unpaired surrogates, except U+200C and U+200D (for emoji and Persian). */
const formatCharacters = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/** Replaces line breaks and control characters with spaces. Cuts the text after `maxLength` characters. */
export function sanitizeText(text: string, maxLength: number): string {
  const line = text
    .replace(formatCharacters, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return Array.from(line).slice(0, maxLength).join("");
}
