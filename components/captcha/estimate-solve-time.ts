/** Number of measured tries; each takes a few milliseconds. */
const samples = 8;

/** Challenge parameters: `nonce` and `salt` are hex strings, `cost` is the number of PBKDF2 rounds. */
export interface ChallengeParameters {
  nonce: string;
  salt: string;
  cost: number;
}

/** Estimates the maximum time for a challenge on this device, in milliseconds, by measuring a few tries. */
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
