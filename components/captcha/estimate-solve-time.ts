/** Enough to even out a busy moment; each takes a few milliseconds. */
const samples = 8;

/** What a try of the check computes, in hex and rounds. */
export interface ChallengeParameters {
  nonce: string;
  salt: string;
  cost: number;
}

/**
 * How long all tries of a check would take on this device, in milliseconds: measured by a few of them, while the workers
 * compute as well.
 */
export async function estimateSolveTime(
  { nonce, salt, cost }: ChallengeParameters,
  tries: number,
  workers: number,
): Promise<number> {
  const key = await crypto.subtle.importKey("raw", bytes(nonce), "PBKDF2", false, ["deriveBits"]);
  const startedAt = performance.now();
  for (let n = 0; n < samples; n += 1) {
    const how = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: cost };
    await crypto.subtle.deriveBits(how, key, 256);
  }
  return (((performance.now() - startedAt) / samples) * tries) / Math.max(1, workers);
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
