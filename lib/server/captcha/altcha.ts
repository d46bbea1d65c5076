import "server-only";
import { createHash, hkdfSync, randomInt } from "node:crypto";
import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { z } from "zod";
import { limits } from "@/lib/config/limits";
import { parseJson } from "@/lib/server/http/read-body";
import type { CaptchaCheck, CaptchaProvider } from "./check-captcha";
import { altchaDifficulty, challengeLifeSeconds, maxAltchaCost } from "@/lib/config/captcha";

const payloadSchema = z.object({
  challenge: z.object({
    parameters: z.strictObject({
      algorithm: z.literal("PBKDF2/SHA-256"),
      nonce: z.string().regex(/^[0-9a-f]{32}$/),
      salt: z.string().regex(/^[0-9a-f]{32}$/),
      cost: z.number().int().positive().max(maxAltchaCost),
      keyLength: z.literal(32),
      keyPrefix: z.string().regex(/^[0-9a-f]{2,64}$/),
      keySignature: z.string().max(128),
      expiresAt: z.number().int(),
    }),
    signature: z.string().max(128),
  }),
  solution: z.object({
    counter: z.number().int().min(0).max(0xffffffff),
    derivedKey: z.string().regex(/^[0-9a-f]{64}$/),
    time: z.number().optional(),
  }),
});

/**
 * Creates the self-hosted proof-of-work captcha (altcha, protocol 2).
 *
 * @param secrets Newest secret first. The newest secret signs new challenges. All secrets verify solutions.
 * @param cost PBKDF2 rounds per try in new challenges. A try is one PBKDF2 computation in the browser.
 * @param siteKey When undefined, the site key is derived from the newest secret.
 */
export function createAltcha(
  secrets: readonly string[],
  cost: number = altchaDifficulty.cost,
  siteKey?: string,
  now: () => number = Date.now,
): CaptchaProvider {
  const keys = secrets.map((secret) => ({
    challenge: derive(secret, "altcha challenge"),
    solution: derive(secret, "altcha solution"),
  }));
  const [newest] = keys;
  if (!newest) throw new Error("altcha needs a secret");

  return {
    name: "altcha",
    siteKey: siteKey ?? `altcha-${derive(secrets[0] ?? "", "altcha site key").slice(0, 16)}`,
    checksLocally: true,
    createChallenge() {
      return createChallenge({
        algorithm: "PBKDF2/SHA-256",
        cost,
        // The solution can be any try, even the first. Bots would skip a try that cannot be the solution.
        counter: randomInt(altchaDifficulty.tries),
        deriveKey,
        expiresAt: Math.floor(now() / 1_000) + challengeLifeSeconds,
        hmacSignatureSecret: newest.challenge,
        hmacKeySignatureSecret: newest.solution,
      });
    },
    async check(token): Promise<CaptchaCheck> {
      // The widget's token is JSON in base64.
      const payload = payloadSchema.safeParse(parseJson(Buffer.from(token, "base64").toString())).data;
      if (!payload) return { outcome: "rejected", reason: "malformed" };
      const secondsLeft = payload.challenge.parameters.expiresAt - Math.floor(now() / 1_000);
      if (secondsLeft <= 0) return { outcome: "rejected", reason: "expired" };
      // Such a late expiry means that the clocks of two servers differ too much. Redis could delete the mark
      // of a used token while another server still accepts the token.
      if (secondsLeft > challengeLifeSeconds + limits.clockToleranceSeconds)
        return { outcome: "rejected", reason: "from the future" };
      for (const key of keys) {
        const { verified } = await verifySolution({
          ...payload,
          deriveKey,
          hmacSignatureSecret: key.challenge,
          hmacKeySignatureSecret: key.solution,
        });
        // The id must not depend on an unsigned field, because a client could change it and reuse the token.
        if (verified) {
          const uniqueId = createHash("sha256").update(payload.challenge.signature).digest("base64url");
          return { outcome: "passed", uniqueId, expiresInSeconds: secondsLeft };
        }
      }
      return { outcome: "rejected", reason: "wrong" };
    },
  };
}

function derive(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)).toString("hex");
}
