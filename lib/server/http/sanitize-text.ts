import "server-only";

/** Invisible characters and lone surrogates. U+200C and U+200D are allowed: emoji and Persian need them. */
const formatCharacters = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/** Removes line breaks and control characters from a text, and shortens the text to `maxLength`. */
export function sanitizeText(text: string, maxLength: number): string {
  const line = text
    .replace(formatCharacters, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return Array.from(line).slice(0, maxLength).join("");
}
