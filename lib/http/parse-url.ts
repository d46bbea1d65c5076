/** Returns null for a text that is no URL. Chrome 119 has neither `URL.canParse` nor `URL.parse`. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
