/**
 * To solve a challenge, the browser tries one number after another. `cost`: PBKDF2 rounds for each number.
 * `tries`: how many numbers the browser must try at most.
 * Measurements: docs/decisions/0004-captcha-difficulty.md
 */
export const altchaDifficulty = { cost: 5_000, tries: 750 } as const;

/** Maximum result of `workFactor`. A slow phone then needs up to 15 seconds for a challenge. */
export const maxWorkFactor = 4;

/** Maximum value of ALTCHA_COST (replaces `cost`). A high cost also slows down the server. */
export const maxAltchaCost = 100_000;

/**
 * Returns a number from 1 to 4. The server multiplies `tries` by this number.
 *
 * @param use share of the daily order limit that the visitor's network has used: 0 is nothing, 1 is all
 */
export function workFactor(use: number): number {
  return Math.min(maxWorkFactor, Math.max(1, Math.ceil(use * maxWorkFactor)));
}
