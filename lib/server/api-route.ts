import "server-only";
import { createHash } from "node:crypto";
import { after, NextResponse, type NextRequest } from "next/server";
import type { z } from "zod";
import type { ApiFailure } from "@/lib/api-types";
import { AppError } from "@/lib/errors";
import { limits } from "@/lib/limits";
import { checkBurst, type BurstPolicy } from "./burst-limits";
import { getEnv } from "./env";
import type { VisitorIdentity } from "./likes/ledger";
import { log } from "./log";
import { readBounded } from "./read-bounded";
import { readFlow, writeFlow, writeRateLimitId, type Flow } from "./session";
import { identifyVisitor } from "./visitor";

const idempotencyKeyShape = /^[\x21-\x7e]{1,200}$/;

interface RouteOptions<Body, Query> {
  /** For the log, and the scope of idempotency keys. */
  name: string;
  body?: z.ZodType<Body>;
  query?: z.ZodType<Query>;
  burst?: BurstPolicy;
  /** False for endpoints that are not the browser's: health and cron. */
  sameOrigin?: boolean;
}

/** What a handler gets of a request, already checked. */
export interface ApiContext<Body, Query> {
  body: Body;
  query: Query;
  visitor: VisitorIdentity;
  /** The Host header, as the client or the proxy wrote it. */
  host: string;
  /** Reads the flow cookie; null without a started flow. */
  readFlow(): Promise<Flow | null>;
  /** Hash of the request's Idempotency-Key within this visitor and route, or null. */
  requestKey: string | null;
  /** The token of `Authorization: Bearer …`, or null. */
  bearerToken: string | null;
  /** Runs work once the answer is out, so that the visitor does not wait for it. */
  afterAnswer(work: () => Promise<unknown>): void;
  response: {
    headers: Headers;
    /** Puts the flow into the answer's cookie. */
    setFlow(flow: Flow): void;
    /** Sets the rate-limit cookie for this many seconds. */
    setRateLimitId(id: string, lifeSeconds: number): void;
  };
}

/**
 * Wraps a handler of the API: checks origin, content type, size and schema, applies the burst limit, and turns every
 * error into `{success: false, code, message}` once. The handler returns the JSON of a 200.
 */
export function apiRoute<Body = undefined, Query = undefined>(
  options: RouteOptions<Body, Query>,
  handler: (context: ApiContext<Body, Query>) => Promise<object>,
): (request: NextRequest) => Promise<NextResponse> {
  return async (request) => {
    try {
      if (options.sameOrigin !== false) requireSameOrigin(request);
      const body = options.body ? parse(options.body, await readJson(request)) : undefined;
      const query = options.query
        ? parse(options.query, Object.fromEntries(request.nextUrl.searchParams))
        : undefined;
      const visitor = identifyVisitor(request);
      if (options.burst) await checkBurst(options.burst, visitor.addressHashes[0] ?? "");
      const headers = new Headers({ "cache-control": "no-store" });
      const cookies: { flow?: Flow; rateLimit?: { id: string; lifeSeconds: number } } = {};
      const result = await handler({
        body: body as Body,
        query: query as Query,
        visitor,
        host: request.headers.get("host") ?? "",
        readFlow: () => readFlow(request),
        requestKey: readRequestKey(request, options.name, visitor),
        bearerToken: /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null,
        afterAnswer: after,
        response: {
          headers,
          setFlow: (flow) => (cookies.flow = flow),
          setRateLimitId: (id, lifeSeconds) => (cookies.rateLimit = { id, lifeSeconds }),
        },
      });
      const response = NextResponse.json(result, { headers });
      if (cookies.flow) await writeFlow(response, cookies.flow);
      if (cookies.rateLimit) writeRateLimitId(response, cookies.rateLimit.id, cookies.rateLimit.lifeSeconds);
      return response;
    } catch (error) {
      return answerError(error, options.name);
    }
  };
}

/** A browser says where a request comes from; what says nothing (curl, a test) is no browser and carries no cookies of one. */
function requireSameOrigin(request: NextRequest): void {
  if (request.headers.get("sec-fetch-site") === "cross-site") throw new AppError("cross_site");
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const host = URL.canParse(origin) ? new URL(origin).host : "";
  if (host !== request.headers.get("host") && host !== new URL(getEnv().siteUrl).host) {
    throw new AppError("cross_site");
  }
}

async function readJson(request: NextRequest): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new AppError("unsupported_media_type");
  const text = await readBounded(request.body, limits.bodyBytes);
  if (text === null) throw new AppError("body_too_large");
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid_json");
  }
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".") || "body"] ??= issue.message;
  throw new AppError("invalid_request", { message: Object.values(fields)[0], fields });
}

function readRequestKey(request: NextRequest, route: string, visitor: VisitorIdentity): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!idempotencyKeyShape.test(key)) {
    throw new AppError("invalid_request", {
      message: "The Idempotency-Key must be 1 to 200 visible characters.",
    });
  }
  return createHash("sha256").update(`${visitor.visitorHashes[0]}\n${route}\n${key}`).digest("base64url");
}

function answerError(error: unknown, route: string): NextResponse {
  const known = error instanceof AppError ? error : new AppError("internal", { cause: error });
  if (known.status >= 500)
    log.error("request failed", { route, code: known.code, cause: describe(known.cause) });
  else log.info("request refused", { route, code: known.code, cause: describe(known.cause) });
  const failure: ApiFailure = {
    success: false,
    code: known.code,
    message: known.message,
    ...(known.fields && { fields: known.fields }),
  };
  const headers = new Headers({ "cache-control": "no-store" });
  if (known.retryAfterSeconds !== undefined) headers.set("retry-after", String(known.retryAfterSeconds));
  return NextResponse.json(failure, { status: known.status, headers });
}

/** A cause for the log: our own errors say what happened; of others only the kind and place, since messages may hold data. */
function describe(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  if (cause instanceof AppError) return describe(cause.cause) ?? cause.code;
  if (!(cause instanceof Error)) return "unknown";
  const ours = /^(Redis|captcha|lookup): /.test(cause.message);
  return ours ? cause.message : `${cause.name} ${cause.stack?.split("\n")[1]?.trim() ?? ""}`;
}
