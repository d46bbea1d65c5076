import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { after, NextResponse, type NextRequest } from "next/server";
import type { z } from "zod";
import type { ApiFailure } from "@/lib/api-types";
import { AppError } from "@/lib/errors";
import { limits } from "@/lib/limits";
import { pages } from "@/lib/routes";
import { checkBurst, type BurstPolicy } from "./burst-limits";
import { getEnv } from "./env";
import type { VisitorIdentity } from "./likes/ledger";
import { describeError, log, withRequestId } from "./log";
import { inTime } from "./redis/client";
import { readBounded } from "./read-bounded";
import { readFlow, writeFlow, writeRateLimitId, writeSharedText, type Flow } from "./session";
import { addressOf, identifyVisitor } from "./visitor";

/** Every step has a deadline of its own; together they would break the promise of an answer within 2 s. */
const answerWithinMs = 1_700;

/** What a form of HTML is sent as unless it says otherwise. */
const formType = "application/x-www-form-urlencoded";

const idempotencyKeyShape = /^[\x21-\x7e]{1,200}$/;

interface RouteOptions<Body, Query> {
  /** For the log, and the scope of idempotency keys. */
  name: string;
  body?: z.ZodType<Body>;
  query?: z.ZodType<Query>;
  burst?: BurstPolicy;
  /** False for endpoints that are not the browser's: health and cron. */
  sameOrigin?: boolean;
  /** True for what waits longer on purpose: for a delivery service, or the sandbox's slow post. */
  mayTakeLonger?: () => boolean;
}

/** What a handler gets of a request, already checked. */
export interface ApiContext<Body, Query> {
  body: Body;
  query: Query;
  visitor: VisitorIdentity;
  /** The visitor's address in the clear: for an answer to the same visitor alone, never to be kept or logged. */
  readAddress(): string;
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
 * Wraps a handler of the API: checks origin, content type, size and schema, applies the burst limit, turns every error
 * into `{success: false, code, message}` once, and logs one line. The handler returns the JSON of a 200.
 */
export function apiRoute<Body = undefined, Query = undefined>(
  options: RouteOptions<Body, Query>,
  handler: (context: ApiContext<Body, Query>) => Promise<object>,
): (request: NextRequest) => Promise<NextResponse> {
  return (request) =>
    logged(options.name, request.method, async () => {
      if (options.sameOrigin !== false) requireSameOrigin(request);
      const body = options.body ? parse(options.body, await readJson(request)) : undefined;
      const query = options.query
        ? parse(options.query, Object.fromEntries(request.nextUrl.searchParams))
        : undefined;
      let identity: VisitorIdentity | undefined;
      const headers = new Headers({ "cache-control": "no-store" });
      const cookies: { flow?: Flow; rateLimit?: { id: string; lifeSeconds: number } } = {};
      const context: ApiContext<Body, Query> = {
        body: body as Body,
        query: query as Query,
        // Only for those who ask: the hashes cost more than all else here.
        get visitor() {
          return (identity ??= identifyVisitor(request));
        },
        readAddress: () => addressOf(request),
        host: request.headers.get("host") ?? "",
        readFlow: () => readFlow(request),
        get requestKey() {
          return readRequestKey(request, options.name, context.visitor);
        },
        bearerToken: /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null,
        afterAnswer: (work) =>
          after(() => work().catch((error) => log.error("after answer", describeError(error)))),
        response: {
          headers,
          setFlow: (flow) => (cookies.flow = flow),
          setRateLimitId: (id, lifeSeconds) => (cookies.rateLimit = { id, lifeSeconds }),
        },
      };
      const work = async () => {
        if (options.burst) await checkBurst(options.burst, context.visitor);
        return handler(context);
      };
      const result = options.mayTakeLonger?.()
        ? await work()
        : await inTime(`all of ${options.name}`, answerWithinMs, work);
      const response = NextResponse.json(result, { headers });
      if (cookies.flow) await writeFlow(response, cookies.flow);
      if (cookies.rateLimit) writeRateLimitId(response, cookies.rateLimit.id, cookies.rateLimit.lifeSeconds);
      return response;
    });
}

/**
 * Wraps the target of a form that the browser itself sends as a navigation, such as a share from the device's menu.
 * Whoever sends it is looking at the screen: whatever it holds, they are led to the home page, whose link field takes
 * the text over. One that cannot be read (too large, another type, broken off) is an empty text there, and its line in
 * the log names why. Nothing is asked of Redis or of anybody else.
 *
 * @param name for the log
 * @param readText takes the text out of the form's fields
 */
export function sharedTextRoute(
  name: string,
  readText: (fields: URLSearchParams) => string,
): (request: NextRequest) => Promise<NextResponse> {
  return (request) =>
    logged(
      name,
      request.method,
      async () => leadHome(readText(new URLSearchParams(await readBody(request, formType)))),
      () => leadHome(""),
    );
}

function leadHome(sharedText: string): NextResponse {
  // A path alone: behind a proxy the request's own address may not be the site's.
  const headers = { location: pages.home.path, "cache-control": "no-store" };
  const response = new NextResponse(null, { status: 303, headers });
  writeSharedText(response, sharedText);
  return response;
}

/**
 * Answers a request under an id of its own, which the answer's `x-request-id` tells the visitor, and logs one line. What
 * `handle` throws is answered by `answerFailure`.
 */
function logged(
  route: string,
  method: string,
  handle: () => Promise<NextResponse>,
  answerFailure = failureAsJson,
): Promise<NextResponse> {
  const requestId = randomUUID();
  const startedAt = performance.now();
  return withRequestId(requestId, async () => {
    const { response, failure } = await answer(handle, answerFailure);
    const { status } = response;
    log[(failure?.status ?? status) >= 500 ? "error" : "info"]("request", {
      method,
      route,
      status,
      code: failure?.code,
      durationMs: Math.round(performance.now() - startedAt),
      ...describeError(failure?.cause),
    });
    response.headers.set("x-request-id", requestId);
    return response;
  });
}

async function answer(
  handle: () => Promise<NextResponse>,
  answerFailure: (failure: AppError) => NextResponse,
): Promise<{ response: NextResponse; failure?: AppError }> {
  try {
    return { response: await handle() };
  } catch (error) {
    const failure = error instanceof AppError ? error : new AppError("internal", { cause: error });
    const response = answerFailure(failure);
    // The rest of the body may still come; nobody waits for it.
    if (failure.code === "request_timeout") response.headers.set("connection", "close");
    return { response, failure };
  }
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
  const text = await readBody(request, "application/json");
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid_json");
  }
}

async function readBody(request: NextRequest, wantedType: string): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== wantedType) throw new AppError("unsupported_media_type");
  const text = await readText(request.body);
  if (text === null) throw new AppError("body_too_large");
  return text;
}

/** Null for a body that is too long. One that stalls must not hold a handler, and one that breaks off is no fault of ours. */
async function readText(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  const signal = AbortSignal.timeout(limits.bodySeconds * 1_000);
  try {
    // Cancelled, Node's body would throw where nobody catches when its rest arrives: what is not read is left lying.
    const bounded = body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), {
      signal,
      preventCancel: true,
    });
    return await readBounded(bounded ?? null, limits.bodyBytes);
  } catch {
    throw new AppError(signal.aborted ? "request_timeout" : "invalid_json");
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

function failureAsJson({ code, message, fields, status, retryAfterSeconds }: AppError): NextResponse {
  const failure: ApiFailure = { success: false, code, message, ...(fields && { fields }) };
  const headers = new Headers({ "cache-control": "no-store" });
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return NextResponse.json(failure, { status, headers });
}
