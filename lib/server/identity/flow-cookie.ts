import "server-only";
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import type { NextRequest } from "next/server";
import { z } from "zod";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { limits } from "@/lib/config/limits";
import { postSchema, receiptSchema } from "@/lib/schemas/order";
import { getEnv } from "@/lib/server/config/env";
import { cookieSettings, setCookie } from "./cookie-settings";

const flowSchema = z.object({
  /** Random id. Each captcha check creates a flow, and each flow allows one order. */
  id: z.string(),
  startedAt: z.number(),
  link: postSchema,
  /** The public post that the lookup found, or null. */
  post: postSchema.nullable(),
  /** Why the last lookup found no public post. Cookies from older releases lack this field. */
  refusal: z.enum(["private", "missing"]).nullable().default(null),
  visited: z.array(z.string()),
  receipt: receiptSchema.nullable(),
});

/** Content of the flow cookie. Clients can replay old cookies, so the ledger enforces single use. */
export type Flow = z.output<typeof flowSchema>;

/** Creates a flow for a link after a passed captcha check. */
export function createFlow(link: InstagramPost): Flow {
  return {
    id: randomBytes(16).toString("base64url"),
    startedAt: Date.now(),
    link,
    post: null,
    refusal: null,
    visited: [],
    receipt: null,
  };
}

/** Reads the flow cookie. Resolves to null for a missing, invalid or expired cookie. */
export function readFlow(request: NextRequest): Promise<Flow | null> {
  return readFlowFromCookies(request.cookies);
}

/** Reads the flow from parsed cookies, like `readFlow`. */
export async function readFlowFromCookies(
  cookies: Pick<NextRequest["cookies"], "get">,
): Promise<Flow | null> {
  const env = getEnv();
  const seal = cookies.get(cookieSettings(env).flowName)?.value;
  if (!seal) return null;
  try {
    const password: Keys = Object.assign(
      {},
      ...env.sessionSecrets.map((secret) => getKeyring(secret).opening),
    );
    // For byte keys iron-webcrypto ignores this salt, so a tampered salt must be rejected here.
    const [, keyId = "", , , , , salt] = seal.split("*");
    if (salt && typeof password[keyId] !== "string") return null;
    const data = await unsealWithKey(seal, { password, ttl: limits.flowLifetimeSeconds });
    const flow = flowSchema.safeParse(data).data;
    if (!flow) return null;
    // Checks the age of the flow, because each new seal has a new lifetime. A start time in the future would
    // outlive the order in the ledger.
    const ageSeconds = (Date.now() - flow.startedAt) / 1_000;
    const valid = ageSeconds >= -limits.clockToleranceSeconds && ageSeconds <= limits.flowLifetimeSeconds;
    return valid ? flow : null;
  } catch {
    // iron-session throws for some malformed seals, and returns an empty object for expired ones.
    return null;
  }
}

/** Seals the flow and appends the Set-Cookie header. */
export async function writeFlow(headers: Headers, flow: Flow): Promise<void> {
  const env = getEnv();
  const { flowName, attributes } = cookieSettings(env);
  const seal = await sealFlow(flow, env.sessionSecrets);
  setCookie(headers, { name: flowName, value: seal, ...attributes, maxAge: limits.flowLifetimeSeconds });
}

/** Returns the cookie value of a flow, sealed with the first secret. */
export function sealFlow(flow: Flow, sessionSecrets: readonly string[]): Promise<string> {
  const password = getKeyring(sessionSecrets[0] ?? "").sealing;
  return sealWithKey(flow, { password, ttl: limits.flowLifetimeSeconds });
}

/** Ends the flow: deletes the flow cookie. */
export function clearFlow(headers: Headers): void {
  const { flowName, attributes } = cookieSettings(getEnv());
  setCookie(headers, { name: flowName, value: "", ...attributes, maxAge: 0 });
}

/** Keys by the key id in the seal. */
type Keys = Record<string, string | Uint8Array>;

/* iron-session's types allow only text secrets, but byte keys work too and are faster. */
type SealOptions = { password: Keys; ttl: number };
const sealWithKey = sealData as (data: unknown, options: SealOptions) => Promise<string>;
const unsealWithKey = unsealData as (seal: string, options: SealOptions) => Promise<unknown>;

type Keyring = { sealing: Keys; opening: Keys };
const keyrings = new Map<string, Keyring>();

/** Returns the keys of a secret. Key ids derive from the secret, so they survive a rotation. */
function getKeyring(secret: string): Keyring {
  const cached = keyrings.get(secret);
  if (cached) return cached;
  const derived = Buffer.from(hkdfSync("sha256", secret, "", "flow cookie", 4 + 32));
  const sealing = { [derived.readUInt32BE(0)]: new Uint8Array(derived.subarray(4)) };
  // Older releases sealed cookies with the secret as text.
  const textId = createHash("sha256").update(secret).digest().readUInt32BE(0);
  const keyring = { sealing, opening: { ...sealing, [textId]: secret } };
  keyrings.set(secret, keyring);
  return keyring;
}
