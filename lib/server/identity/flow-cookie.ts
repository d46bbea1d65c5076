import "server-only";
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import type { NextRequest } from "next/server";
import { z } from "zod";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { limits } from "@/lib/config/limits";
import { postSchema, receiptSchema } from "@/lib/schemas/order";
import { getEnv, type Env } from "@/lib/server/config/env";
import { cookieSettings, setCookie } from "./cookie-settings";

const flowShape = z.object({
  /** Random; one captcha check, one order. */
  id: z.string(),
  startedAt: z.number(),
  link: postSchema,
  /** The post once it was found public. */
  post: postSchema.nullable(),
  /** Why the post cannot get likes, when it was asked for last. Flows that began before this was kept have none. */
  refusal: z.enum(["private", "missing"]).nullable().default(null),
  visited: z.array(z.string()),
  receipt: receiptSchema.nullable(),
});

/**
 * The flow cookie's content. It holds ids, never captions: a cookie has 4,096 bytes. An old cookie can be replayed, so
 * nothing that must be used once lives in it alone: the ledger knows which flow was used up.
 */
export type Flow = z.output<typeof flowShape>;

/** A flow that has just begun: the captcha was passed for this link. */
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

/** The flow of a request, or null: none, foreign, tampered with, or older than an hour. */
export function readFlow(request: NextRequest): Promise<Flow | null> {
  return readFlowFromCookies(request.cookies);
}

/** The same, of cookies however they were read. */
export async function readFlowFromCookies(
  cookies: Pick<NextRequest["cookies"], "get">,
): Promise<Flow | null> {
  const env = getEnv();
  return unsealFlow(cookies.get(cookieSettings(env).flowName)?.value, env);
}

/** Puts the flow into the answer's cookie. */
export async function writeFlow(headers: Headers, flow: Flow): Promise<void> {
  const env = getEnv();
  const { flowName, attributes } = cookieSettings(env);
  const seal = await sealFlow(flow, env.sessionSecrets);
  setCookie(headers, { name: flowName, value: seal, ...attributes, maxAge: limits.flowLifetimeSeconds });
}

/** A flow as it stands in the cookie. Only the newest secret, the first, seals. */
export function sealFlow(flow: Flow, sessionSecrets: readonly string[]): Promise<string> {
  const password = keyringOf(sessionSecrets[0] ?? "").sealing;
  return sealWithKey(flow, { password, ttl: limits.flowLifetimeSeconds });
}

/** Ends the flow. */
export function clearFlow(headers: Headers): void {
  const { flowName, attributes } = cookieSettings(getEnv());
  setCookie(headers, { name: flowName, value: "", ...attributes, maxAge: 0 });
}

async function unsealFlow(seal: string | undefined, env: Env): Promise<Flow | null> {
  if (!seal) return null;
  try {
    const password: Keys = Object.assign(
      {},
      ...env.sessionSecrets.map((secret) => keyringOf(secret).opening),
    );
    // The salt of a derived key: the engine does not read one that somebody puts into a seal by a key.
    const [, keyId = "", , , , , salt] = seal.split("*");
    if (salt && typeof password[keyId] !== "string") return null;
    const data = await unsealWithKey(seal, { password, ttl: limits.flowLifetimeSeconds });
    const flow = flowShape.safeParse(data).data;
    if (!flow) return null;
    // Sealing again renews the seal's own life, never the flow's. One from the future, sealed by a server whose clock is
    // wrong, would outlive the ledger's memory of its order.
    const ageSeconds = (Date.now() - flow.startedAt) / 1_000;
    const valid = ageSeconds >= -limits.clockToleranceSeconds && ageSeconds <= limits.flowLifetimeSeconds;
    return valid ? flow : null;
  } catch {
    // iron-session returns nothing for a foreign or expired seal, and throws for some malformed ones.
    return null;
  }
}

/** By the number with which a seal names its key. */
type Keys = Record<string, string | Uint8Array>;

/*
 * iron-session's own types know passwords as text alone, from which its engine, iron-webcrypto, derives two keys for each
 * seal and again for each look at it. What it is given it hands on as it is, and the engine takes keys as bytes, too.
 */
const sealWithKey = sealData as (data: unknown, options: { password: Keys; ttl: number }) => Promise<string>;
const unsealWithKey = unsealData as (
  seal: string,
  options: { password: Keys; ttl: number },
) => Promise<unknown>;

/** Of each secret, made once. */
const keyrings = new Map<string, Keyring>();

interface Keyring {
  sealing: Keys;
  opening: Keys;
}

/**
 * The key of a secret, and what opens the seals of the secret: that key, and the secret as text, by which cookies were
 * sealed before keys were made here. The numbers that name them are made from the secret, too: they stay the same when
 * secrets are put in front of it or dropped; a place in the list would not.
 */
function keyringOf(secret: string): Keyring {
  const known = keyrings.get(secret);
  if (known) return known;
  const derived = Buffer.from(hkdfSync("sha256", secret, "", "flow cookie", 4 + 32));
  const sealing = { [derived.readUInt32BE(0)]: new Uint8Array(derived.subarray(4)) };
  const textId = createHash("sha256").update(secret).digest().readUInt32BE(0);
  const keyring = { sealing, opening: { ...sealing, [textId]: secret } };
  keyrings.set(secret, keyring);
  return keyring;
}
