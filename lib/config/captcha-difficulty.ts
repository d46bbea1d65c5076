/**
 * `cost`: PBKDF2 rounds per try. `tries`: maximum number of tries that a challenge needs.
 * Measurements: docs/decisions/0004-captcha-difficulty.md
 */
export const altchaDifficulty = { cost: 5_000, tries: 750 } as const;

/** Maximum multiplier for the tries of a challenge. A slow phone then needs up to 15 seconds. */
export const maxWorkFactor = 4;

/** Maximum value of ALTCHA_COST, which replaces `cost`. A high cost also slows down the server. */
export const maxAltchaCost = 100_000;

/**
 * Returns the multiplier for the tries (1 to 4).
 *
 * @param use used part of the network's cap (0 to 1), or the highest part if several networks have caps
 */
export function workFactor(use: number): number {
  return Math.min(maxWorkFactor, Math.max(1, Math.ceil(use * maxWorkFactor)));
}
