import "server-only";
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import type { NextRequest } from "next/server";
import { z } from "zod";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { flowCookieName, limits } from "@/lib/config/limits";
import { postSchema, receiptSchema } from "@/lib/schemas/order";
import { getEnv } from "@/lib/server/config/env";
import { cookieName, setCookie } from "./cookie";

const flowSchema = z.object({
  /** Random id of the flow. A passed captcha check starts a flow, which allows one accepted order. */
  id: z.string(),
  startedAt: z.number(),
  link: postSchema,
  /** The post that may get likes. Null until step 2 accepts the post of `link`. */
  post: postSchema.nullable(),
  /** True if the last lookup found that `post` is public. Cookies of older releases lack this field. */
  checked: z.boolean().default(false),
  /** Reason why the last post lookup found no public post. Cookies of older releases lack this field. */
  refusal: z.enum(["private", "missing"]).nullable().default(null),
  visited: z.array(z.string()),
  receipt: receiptSchema.nullable(),
});

/**
 * A visitor's progress from the link to the receipt, stored in the flow cookie. A client can send an old
 * cookie again, so the server checks in Redis that each flow has one accepted order.
 */
export type Flow = z.output<typeof flowSchema>;

/** Creates a flow for the post of a link. Call this function only after a passed captcha check. */
export function createFlow(link: InstagramPost): Flow {
  return {
    id: randomBytes(16).toString("base64url"),
    startedAt: Date.now(),
    link,
    post: null,
    checked: false,
    refusal: null,
    visited: [],
    receipt: null,
  };
}

/** Reads the flow cookie. Resolves to null for a missing, invalid or expired cookie. */
export async function readFlow({ cookies }: NextRequest): Promise<Flow | null> {
  const seal = cookies.get(cookieName(flowCookieName))?.value;
  if (!seal) return null;
  try {
    const password: Keys = Object.assign(
      {},
      ...getEnv().sessionSecrets.map((secret) => getKeyring(secret).opening),
    );
    // A seal with a byte key contains no integrity salt. iron-webcrypto accepts such a seal even if a client
    // adds a salt, so this code rejects the seal.
    const [, keyId = "", , , , , salt] = seal.split("*");
    if (salt && typeof password[keyId] !== "string") return null;
    const data = await unsealWithKey(seal, { password, ttl: limits.flowLifetimeSeconds });
    const flow = flowSchema.safeParse(data).data;
    if (!flow) return null;
    // A response can renew the seal, so this code checks the age of the flow, not the age of the seal. A flow
    // from the future is invalid, because it could still be valid after Redis has deleted its order.
    const ageSeconds = (Date.now() - flow.startedAt) / 1_000;
    const valid = ageSeconds >= -limits.clockToleranceSeconds && ageSeconds <= limits.flowLifetimeSeconds;
    return valid ? flow : null;
  } catch {
    // iron-session throws for some malformed seals. For an expired seal, it returns an empty object.
    return null;
  }
}

/** Seals (encrypts and signs) the flow, and appends a Set-Cookie header with the flow cookie. */
export async function writeFlow(headers: Headers, flow: Flow): Promise<void> {
  const seal = await sealFlow(flow, getEnv().sessionSecrets);
  setCookie(headers, { name: cookieName(flowCookieName), value: seal, maxAge: limits.flowLifetimeSeconds });
}

/** Encrypts and signs a flow with the first secret. Returns the cookie value. */
export function sealFlow(flow: Flow, sessionSecrets: readonly string[]): Promise<string> {
  const password = getKeyring(sessionSecrets[0] ?? "").sealing;
  return sealWithKey(flow, { password, ttl: limits.flowLifetimeSeconds });
}

/** Appends a Set-Cookie header that deletes the flow cookie. This ends the flow. */
export function clearFlow(headers: Headers): void {
  setCookie(headers, { name: cookieName(flowCookieName), value: "", maxAge: 0 });
}

/** Keys that encrypt and sign flows. The property names are key ids. Each seal contains the id of its key. */
type Keys = Record<string, string | Uint8Array>;

/* The types of iron-session allow only text passwords, but byte keys work too and are faster. */
type SealOptions = { password: Keys; ttl: number };
const sealWithKey = sealData as (data: unknown, options: SealOptions) => Promise<string>;
const unsealWithKey = unsealData as (seal: string, options: SealOptions) => Promise<unknown>;

type Keyring = { sealing: Keys; opening: Keys };
const keyrings = new Map<string, Keyring>();

/** Returns the keys of a secret. A key id depends on the secret only, not on the position of the secret. */
function getKeyring(secret: string): Keyring {
  const cached = keyrings.get(secret);
  if (cached) return cached;
  const derived = Buffer.from(hkdfSync("sha256", secret, "", "flow cookie", 4 + 32));
  const sealing = { [derived.readUInt32BE(0)]: new Uint8Array(derived.subarray(4)) };
  // Older releases used the secret text itself as password. Their cookies must stay readable.
  const textId = createHash("sha256").update(secret).digest().readUInt32BE(0);
  const keyring = { sealing, opening: { ...sealing, [textId]: secret } };
  keyrings.set(secret, keyring);
  return keyring;
}
