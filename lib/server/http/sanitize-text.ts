import "server-only";

/** Invisible characters and unpaired surrogates, except U+200C and U+200D (for emoji and Persian). */
const formatCharacters = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/** A character that a reader sees. Hangul fillers and the Braille cell without dots are letters and symbols. */
const visibleCharacter = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Replaces line breaks and control characters with spaces. Cuts the text after `maxLength` characters. Returns "" if nothing is visible. */
export function sanitizeText(text: string, maxLength: number): string {
  const line = text
    .replace(formatCharacters, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  if (!visibleCharacter.test(line)) return "";
  return Array.from(line).slice(0, maxLength).join("");
}
