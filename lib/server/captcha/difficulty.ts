import "server-only";

/**
 * The work of one altcha challenge: `counter` tries of PBKDF2 with `cost` rounds each (ALTCHA_COST unless set
 * otherwise). docs/decisions/0004-captcha-difficulty.md says how the numbers were measured: half a second on a desktop,
 * under four at a sixfold slow-down.
 */
export const altchaDifficulty = { cost: 5_000, counterMin: 400, counterMax: 550 } as const;

/** The highest cost that can be configured; it bounds the work that a forged token can ask of the server. */
export const maxAltchaCost = 100_000;
