import "server-only";
import { createHash } from "node:crypto";
import { after, type NextRequest } from "next/server";
import type { z } from "zod";
import type { ApiFailure } from "@/lib/http/api-responses";
import { AppError } from "@/lib/http/errors";
import { handleRequest } from "./handle-request";
import { checkRateLimit, type RateLimitPolicy } from "./rate-limits";
import { withTimeout } from "@/lib/server/async/with-timeout";
import { getEnv } from "@/lib/server/config/env";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { describeError, log } from "@/lib/server/ops/log";
import { readRequestBody } from "./request-body";
import type { RouteName } from "./route-names";
import { readFlow, writeFlow, type Flow } from "@/lib/server/identity/flow-cookie";
import { writeRateLimitId } from "@/lib/server/identity/visitor-cookies";
import { requestAddress, hashAddress, identifyVisitor } from "@/lib/server/identity/visitor";

/** Every step has a deadline of its own; together they would break the promise of an answer within 2 s. */
const answerWithinMs = 1_700;

const idempotencyKeyShape = /^[\x21-\x7e]{1,200}$/;

interface RouteOptions<Body, Query> {
  /** For the log and the metrics, and the scope of idempotency keys. */
  name: RouteName;
  body?: z.ZodType<Body>;
  query?: z.ZodType<Query>;
  burst?: RateLimitPolicy;
  /** A burst limit where nobody has to be known: a request without an address is not counted. */
  flood?: RateLimitPolicy;
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
 * into `{success: false, code, message}` once, and logs one line. The handler returns the JSON of a 200, or
 * its text, whose type it puts into the headers.
 */
export function apiRoute<Body = undefined, Query = undefined>(
  options: RouteOptions<Body, Query>,
  handler: (context: ApiContext<Body, Query>) => Promise<object | string>,
): (request: NextRequest) => Promise<Response> {
  return (request) => {
    const handle = async () => {
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
        readAddress: () => requestAddress(request),
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
        if (options.burst) await checkRateLimit(options.burst, context.visitor);
        const addressHashes = options.flood ? hashAddress(request) : null;
        if (options.flood && addressHashes) await checkRateLimit(options.flood, { addressHashes });
        return handler(context);
      };
      const result = options.mayTakeLonger?.()
        ? await work()
        : await withTimeout(`all of ${options.name}`, answerWithinMs, work);
      if (cookies.flow) await writeFlow(headers, cookies.flow);
      if (cookies.rateLimit) writeRateLimitId(headers, cookies.rateLimit.id, cookies.rateLimit.lifeSeconds);
      return typeof result === "string"
        ? new Response(result, { headers })
        : Response.json(result, { headers });
    };
    return handleRequest(options.name, request.method, handle, failureAsJson);
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
  const text = await readRequestBody(request, "application/json");
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

function failureAsJson({ code, message, fields, status, retryAfterSeconds }: AppError): Response {
  const failure: ApiFailure = { success: false, code, message, ...(fields && { fields }) };
  const headers = new Headers({ "cache-control": "no-store" });
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return Response.json(failure, { status, headers });
}
