/**
 * To solve a challenge, the browser tries one number after another. `cost`: PBKDF2 rounds for each number.
 * `tries`: how many numbers the browser must try at most.
 * Measurements: docs/decisions/0004-captcha.md
 */
export const altchaDifficulty = { cost: 5_000, tries: 750 } as const;

/** Lifetime of a challenge. A visitor must be able to fill in a form in this time. */
export const challengeLifeSeconds = 20 * 60;

/** Maximum value of ALTCHA_COST (replaces `cost`). A high cost also slows down the server. */
export const maxAltchaCost = 100_000;

/** Action name that the Turnstile widget puts into its tokens. The server rejects other action names. */
export const captchaAction = "verify";

/** Returns true for a public test key of Google or Cloudflare. With a test key, the result is always the same. */
export function isTestKey(key = ""): boolean {
  return /^(?:6LeIxAcTAAAAA|[123]x0{20,31}[A-F]{2}$)/.test(key);
}
