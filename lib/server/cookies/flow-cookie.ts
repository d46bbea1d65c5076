import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { getIronSession, type SessionOptions } from "iron-session";
import type { NextRequest } from "next/server";
import { z } from "zod";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import type { Reason } from "@/lib/flow/private-account-variants";
import { pages } from "@/lib/http/pages";
import { flowCookieName, limits } from "@/lib/config/limits";
import { postSchema, receiptSchema } from "@/lib/schemas/api-responses";
import { getEnv } from "@/lib/server/config/env";
import { cookieName, setCookie } from "./cookie";

const reasonSchema = z.enum(["private", "missing"]) satisfies z.ZodType<Reason>;

/** The encrypted part of a flow. */
const sealedSchema = z.object({
  /** Random id of the flow. A passed captcha check starts a flow, which allows one accepted order. */
  id: z.string(),
  startedAt: z.number(),
  link: postSchema,
  /** The post that may get likes. Null until step 2 accepts the post of `link`. */
  post: postSchema.nullable(),
  /** True if the last lookup found that `post` is public. */
  checked: z.boolean(),
  receipt: receiptSchema.nullable(),
});

/**
 * A visitor's progress from the link to the receipt, stored in cookies. A client can send old cookies again, so the server
 * checks in Redis that each flow has one accepted order.
 */
export interface Flow extends z.output<typeof sealedSchema> {
  /** Reason why the last post lookup found no public post. */
  refusal: Reason | null;
  /** Paths of the opened pages, of those in `markedPaths`. */
  visited: readonly string[];
}

/*
 * A late response must not overwrite newer data, so each kind of response has its own cookie names
 * (docs/decisions/0002-flow-cookies.md). A flow exists while its first cookie exists, which the home page deletes. Its newest
 * data are in the cookie of its last stage.
 */
const stages = ["-receipt", "-post", "-link"] as const;
/** Pages whose visit the guard checks. Their marks are not sealed, because the API does not depend on them. */
const markedPaths: readonly string[] = [pages.verification.path, pages.getLikes.path];
/** Maximum number of seals that the server opens for a request, because each needs CPU time. */
const maxSeals = 6;

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

/** Reads the newest flow. Resolves to null without valid cookies of a flow. */
export async function readFlow(request: NextRequest): Promise<Flow | null> {
  const { cookies } = request;
  const first = new RegExp(`^${cookieName(flowCookieName)}-\\d{13}$`);
  const names = cookies.getAll().map(({ name }) => name);
  const newestFirst = names
    .filter((name) => first.test(name))
    .sort()
    .reverse();
  const seals = newestFirst
    .flatMap((flow) => stages.map((stage) => ({ flow, name: flow + stage })))
    .filter(({ name }) => cookies.has(name));
  for (const { flow, name } of seals.slice(0, maxSeals)) {
    const sealed = await openSeal(request, name);
    if (!sealed) continue;
    const refusal = reasonSchema.safeParse(cookies.get(`${flow}-refusal`)?.value).data ?? null;
    return { ...sealed, refusal, visited: markedPaths.filter((path) => cookies.has(flow + markOf(path))) };
  }
  return null;
}

async function openSeal(request: NextRequest, name: string): Promise<z.output<typeof sealedSchema> | null> {
  try {
    const options = sessionOptions(name, getEnv().sessionSecrets);
    const flow = sealedSchema.safeParse(await getIronSession(request, new Response(), options)).data;
    if (!flow) return null;
    // A later stage has a newer seal, so this code checks the age of the flow, not the age of the seal. A flow
    // from the future is invalid, because it could still be valid after Redis has deleted its order.
    const ageSeconds = (Date.now() - flow.startedAt) / 1_000;
    const valid = ageSeconds >= -limits.clockToleranceSeconds && ageSeconds <= limits.flowLifetimeSeconds;
    return valid ? flow : null;
  } catch {
    // iron-session throws for some malformed seals. For an expired seal, it returns an empty object.
    return null;
  }
}

/** A new stage of a flow does not contain the values of a cookie with its name, which may be malformed. */
const withoutCookies = new Request("http://localhost");

/** Seals (encrypts and signs) the flow, and sets the cookie of its stage. Also begins a new flow. */
export async function writeFlow(response: Response, flow: Flow): Promise<void> {
  if (!flow.post) setFlowCookie(response.headers, firstCookie(flow), "1", { httpOnly: false });
  const options = sessionOptions(cookieName(flowCookie(flow)), getEnv().sessionSecrets.slice(0, 1));
  const session = await getIronSession<object>(withoutCookies, response, options);
  await Object.assign(session, sealedSchema.parse(flow)).save();
}

/** Records that the visitor has opened a page. Does nothing for pages that the guard does not check. */
export function markVisit(headers: Headers, flow: Flow, path: string): void {
  if (markedPaths.includes(path) && !flow.visited.includes(path))
    setFlowCookie(headers, firstCookie(flow) + markOf(path), "1");
}

/** Records why a lookup found no public post. */
export function markRefusal(headers: Headers, flow: Flow, refusal: Reason): void {
  setFlowCookie(headers, `${firstCookie(flow)}-refusal`, refusal);
}

/** Deletes the flows that the request knows. A newer flow stays, because its cookies have other names. */
export function endFlows(headers: Headers, { cookies }: NextRequest): void {
  const ours = new RegExp(`^${cookieName(flowCookieName)}-[\\w-]+$`);
  for (const { name } of cookies.getAll())
    if (ours.test(name)) setCookie(headers, { name, value: "", maxAge: 0 });
}

/** Returns the name of the cookie with a flow's newest data, without the prefix of https sites. */
export function flowCookie(flow: Pick<Flow, "startedAt" | "post" | "receipt">): string {
  return firstCookie(flow) + (flow.receipt ? "-receipt" : flow.post ? "-post" : "-link");
}

/** Returns the name of the cookie without which the flow is over. It has no content, and scripts can delete it. */
export function firstCookie({ startedAt }: Pick<Flow, "startedAt">): string {
  return `${flowCookieName}-${startedAt}`;
}

/** "/get-likes" becomes "-get-likes". */
function markOf(path: string): string {
  return path.replace("/", "-");
}

function setFlowCookie(headers: Headers, name: string, value: string, more?: { httpOnly: boolean }): void {
  setCookie(headers, { name: cookieName(name), value, maxAge: limits.flowLifetimeSeconds, ...more });
}

function sessionOptions(name: string, secrets: readonly string[]): SessionOptions {
  const maxAge = limits.flowLifetimeSeconds;
  const cookieOptions = { secure: getEnv().secureCookies, maxAge };
  return { cookieName: name, password: passwordsOf(secrets), ttl: maxAge, cookieOptions };
}

/**
 * Returns the passwords for iron-session by id. iron-session seals with the highest id, and a seal contains its id. An id
 * depends on the secret only, so cookies stay readable when a rotation changes the position of the secret.
 */
export function passwordsOf(secrets: readonly string[]): Record<string, string> {
  const idOf = (secret: string) => createHash("sha256").update(secret).digest().readUInt32BE();
  return Object.fromEntries(secrets.map((secret) => [idOf(secret), secret]));
}
