/**
 * The work of one altcha challenge: up to `tries` tries of PBKDF2 with `cost` rounds each (ALTCHA_COST unless set
 * otherwise), half of them on average. docs/decisions/0004-captcha-difficulty.md says how the numbers were measured: half a
 * second on a desktop, under four at a sixfold slow-down.
 */
export const altchaDifficulty = { cost: 5_000, tries: 750 } as const;

/** The most by which the tries are multiplied: 15 s on a slow phone, whose owner may share an address with thousands. */
export const maxWorkFactor = 4;

/** The highest cost that can be configured; it bounds the work that a forged token can ask of the server. */
export const maxAltchaCost = 100_000;

/**
 * By how much a check's tries are multiplied, 1 to 4: once for every begun quarter of what the asker's networks may have
 * in a day.
 *
 * @param use of the fullest network's cap; 1 and more when it is used up
 */
export function workFactor(use: number): number {
  return Math.min(maxWorkFactor, Math.max(1, Math.ceil(use * maxWorkFactor)));
}
