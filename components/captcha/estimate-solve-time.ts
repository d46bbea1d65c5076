/** Number of PBKDF2 computations to measure. Each computation takes a few milliseconds. */
const samples = 8;

/** Parameters of a challenge. `nonce` and `salt` are hex strings. `cost` is the number of PBKDF2 iterations. */
export interface ChallengeParameters {
  nonce: string;
  salt: string;
  cost: number;
}

/** Estimates the milliseconds that `workers` web workers need for `tries` PBKDF2 computations. */
export async function estimateSolveTime(
  { nonce, salt, cost }: ChallengeParameters,
  tries: number,
  workers: number,
): Promise<number> {
  const key = await crypto.subtle.importKey("raw", bytes(nonce), "PBKDF2", false, ["deriveBits"]);
  const startedAt = performance.now();
  for (let n = 0; n < samples; n += 1) {
    const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: cost };
    await crypto.subtle.deriveBits(algorithm, key, 256);
  }
  return (((performance.now() - startedAt) / samples) * tries) / Math.max(1, workers);
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
