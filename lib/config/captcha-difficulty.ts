/**
 * Work of an altcha challenge: at most `tries` PBKDF2 computations with `cost` rounds each.
 * ALTCHA_COST overrides the cost. Measurements: docs/decisions/0004-captcha-difficulty.md.
 */
export const altchaDifficulty = { cost: 5_000, tries: 750 } as const;

/** Maximum multiplier for the tries of a challenge. A slow phone then needs about 15 seconds. */
export const maxWorkFactor = 4;

/** Maximum configurable cost. The limit bounds the server's work when it checks a forged token. */
export const maxAltchaCost = 100_000;

/**
 * Returns the multiplier for the tries of a challenge, an integer from 1 to 4.
 *
 * @param use used fraction of the daily cap, for the network of the visitor with the highest usage
 */
export function workFactor(use: number): number {
  return Math.min(maxWorkFactor, Math.max(1, Math.ceil(use * maxWorkFactor)));
}
