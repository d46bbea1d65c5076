import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import { cookies } from "next/headers";
import type { NextRequest, NextResponse } from "next/server";
import { z } from "zod";
import type { Receipt } from "@/lib/api-types";
import type { InstagramPost } from "@/lib/instagram-link";
import { limits, sharedTextCookieName, sharedTextSeconds } from "@/lib/limits";
import { postShape, receiptShape } from "@/lib/schemas/order";
import { getEnv, type Env } from "./env";
import { orderIdShape } from "./likes/order-id";

const flowShape = z.object({
  /** Random; one captcha check, one order. */
  id: z.string(),
  startedAt: z.number(),
  link: postShape,
  /** The post once it was found public. */
  post: postShape.nullable(),
  /** Why the post cannot get likes, when it was asked for last. Flows that began before this was kept have none. */
  refusal: z.enum(["private", "missing"]).nullable().default(null),
  visited: z.array(z.string()),
  receipt: receiptShape.nullable(),
});

/**
 * The flow cookie's content. It holds ids, never captions: a cookie has 4,096 bytes. An old cookie can be replayed, so
 * nothing that must be used once lives in it alone: the ledger knows which flow was used up.
 */
export type Flow = z.output<typeof flowShape>;

/** Percent-encoded. A browser drops a cookie of more than 4,096 bytes without a word. */
const maxSharedTextLength = 3_000;

/** The path and attributes of both cookies; `__Host-` where the site has https. */
function cookieSettings(env: Env) {
  const prefix = env.secureCookies ? "__Host-" : "";
  return {
    flowName: `${prefix}flow`,
    rateLimitName: `${prefix}rate-limit`,
    attributes: { httpOnly: true, secure: env.secureCookies, sameSite: "lax", path: "/" } as const,
  };
}

/** A flow that has just begun: the captcha was passed for this link. */
export function newFlow(link: InstagramPost): Flow {
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
export async function readFlow(request: NextRequest): Promise<Flow | null> {
  const env = getEnv();
  return unsealFlow(request.cookies.get(cookieSettings(env).flowName)?.value, env);
}

/** Puts the flow into the response's cookie. */
export async function writeFlow(response: NextResponse, flow: Flow): Promise<void> {
  const env = getEnv();
  const { flowName, attributes } = cookieSettings(env);
  const seal = await sealFlow(flow, env.sessionSecrets);
  response.cookies.set(flowName, seal, { ...attributes, maxAge: limits.flowLifetimeSeconds });
}

/** A flow as it stands in the cookie. Only the newest secret, the first, seals. */
export function sealFlow(flow: Flow, sessionSecrets: readonly string[]): Promise<string> {
  return sealData(flow, {
    password: passwords(sessionSecrets.slice(0, 1)),
    ttl: limits.flowLifetimeSeconds,
  });
}

/** Ends the flow. */
export function clearFlow(response: NextResponse): void {
  const { flowName, attributes } = cookieSettings(getEnv());
  response.cookies.set(flowName, "", { ...attributes, maxAge: 0 });
}

/** The order that the rate-limit cookie names, or null. Means something only when the ledger knows it. */
export function readRateLimitId(request: NextRequest): string | null {
  const value = request.cookies.get(cookieSettings(getEnv()).rateLimitName)?.value ?? "";
  return orderIdShape.test(value) ? value : null;
}

/** Sets the rate-limit cookie for the rest of a cooldown. */
export function writeRateLimitId(response: NextResponse, id: string, lifeSeconds: number): void {
  const { rateLimitName, attributes } = cookieSettings(getEnv());
  response.cookies.set(rateLimitName, id, { ...attributes, maxAge: lifeSeconds });
}

/**
 * Hands a shared text to the link field, percent-encoded and cut to what a cookie holds. The script of the page reads
 * it, so it is open to scripts; the server never does, so no request from another site has to bring it.
 */
export function writeSharedText(response: NextResponse, text: string): void {
  let encodedLength = 0;
  let end = 0;
  for (const character of text) {
    encodedLength += encodeURIComponent(character).length;
    if (encodedLength > maxSharedTextLength) break;
    end += character.length;
  }
  const { attributes } = cookieSettings(getEnv());
  response.cookies.set(sharedTextCookieName, text.slice(0, end), {
    ...attributes,
    httpOnly: false,
    sameSite: "strict",
    maxAge: sharedTextSeconds,
  });
}

/** For pages: the visitor's flow, or null. */
export async function readPageFlow(): Promise<Flow | null> {
  const env = getEnv();
  return unsealFlow((await cookies()).get(cookieSettings(env).flowName)?.value, env);
}

/** For pages: the receipt of the flow's accepted order, or null. */
export async function readReceipt(): Promise<Receipt | null> {
  return (await readPageFlow())?.receipt ?? null;
}

async function unsealFlow(seal: string | undefined, env: Env): Promise<Flow | null> {
  if (!seal) return null;
  try {
    const data = await unsealData(seal, {
      password: passwords(env.sessionSecrets),
      ttl: limits.flowLifetimeSeconds,
    });
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

/**
 * iron-session's password map. A seal names its password by a number; one made from the secret itself stays the same
 * when secrets are put in front of it or dropped, a place in the list would not.
 */
function passwords(secrets: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    secrets.map((secret) => [createHash("sha256").update(secret).digest().readUInt32BE(0), secret]),
  );
}
