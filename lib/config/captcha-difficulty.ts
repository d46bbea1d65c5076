/** Maximum PBKDF2 runs and rounds per run. Measurements: docs/decisions/0004-captcha-difficulty.md. */
export const altchaDifficulty = { cost: 5_000, tries: 750 } as const;

/** Maximum multiplier for the tries of a challenge. A slow phone then needs about 15 seconds. */
export const maxWorkFactor = 4;

/** Maximum of ALTCHA_COST, which overrides the cost. Bounds the server's work for a forged token. */
export const maxAltchaCost = 100_000;

/** Returns the multiplier for the tries, 1 to 4. `use`: used fraction of the fullest network cap. */
export function workFactor(use: number): number {
  return Math.min(maxWorkFactor, Math.max(1, Math.ceil(use * maxWorkFactor)));
}
