import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { after, type NextRequest } from "next/server";
import { z } from "zod";
import type { ApiFailure } from "@/lib/schemas/api-responses";
import { AppError } from "@/lib/http/errors";
import { handleRequest } from "./handle-request";
import { assertLimit, type RateLimitPolicy } from "./rate-limits";
import { timeoutError, withTimeout } from "@/lib/server/async/with-timeout";
import { getEnv } from "@/lib/server/config/env";
import { identifyVisitor, type VisitorIdentity } from "@/lib/server/identity/identify-visitor";
import { describeError, log } from "@/lib/server/log/log";
import { parseJson, readRequestBody } from "./read-body";
import type { RouteName } from "@/lib/server/metrics/meter";

/** Deadline for handling one request, in milliseconds. The API must respond within 2 s. A lookup's time does not count. */
const requestDeadlineMs = 1_700;

const idempotencyKeyPattern = /^[\x21-\x7e]{1,200}$/;
/** A UUID of random bits, which the pages create. */
const randomKey = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface RouteOptions<Body, Query> {
  /** Route name in the log and the metrics. The hash `requestKey` includes this name. */
  name: RouteName;
  body?: z.core.$ZodType<Body>;
  query?: z.core.$ZodType<Query>;
  rateLimit?: RateLimitPolicy;
  /** If true, requests from pages of other origins fail with the error `cross_site`. Default: true. */
  sameOrigin?: boolean;
  /** If true, requests have no deadline. A request for likes, for example, waits for a delivery. */
  skipDeadline?: boolean;
}

/** Argument of a route handler. Body and query are valid. */
interface ApiContext<Body, Query> {
  request: NextRequest;
  body: Body;
  query: Query;
  /** Throws `service_unavailable` if the client's address is unreadable. */
  visitor: VisitorIdentity;
  /** Hash of the route name, the Idempotency-Key header, and the visitor if the key is guessable. Null without the header. */
  requestKey: string | null;
  /** Runs `work` after the server has sent the response. */
  afterResponse(work: () => Promise<unknown>): void;
  /** The response to a success gets the headers and cookies of this response. */
  response: Response;
}

/**
 * Creates a route handler that checks and limits requests, calls `handler`, and sends errors as JSON. A handler that returns a
 * string must set the content type in `response.headers`.
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
      const response = new Response(null, { headers: { "cache-control": "no-store" } });
      const context: ApiContext<Body, Query> = {
        request,
        body: body as Body,
        query: query as Query,
        // The hashes need much CPU time, so this getter computes them only on first use.
        get visitor() {
          return (identity ??= identifyVisitor(request));
        },
        get requestKey() {
          return readRequestKey(request, options.name, context.visitor);
        },
        afterResponse: (work) =>
          after(() => work().catch((error) => log.error("after answer", describeError(error)))),
        response,
      };
      const work = async () => {
        if (options.rateLimit) await assertLimit(options.rateLimit, context.visitor);
        return handler(context);
      };
      const result = options.skipDeadline
        ? await work()
        : await withTimeout(requestDeadlineMs, () => timeoutError(`all of ${options.name}`), work);
      return typeof result === "string" ? new Response(result, response) : Response.json(result, response);
    };
    return handleRequest(options.name, request, handle, toJsonError);
  };
}

/**
 * Throws `not_found` if no token is configured. Throws `unauthorized` if the request has another token in
 * `Authorization: Bearer …`.
 */
export function requireToken({ headers }: NextRequest, configured: string | undefined): void {
  if (!configured) throw new AppError("not_found");
  const [, given = ""] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const digest = (text: string) => createHash("sha256").update(text).digest();
  if (!timingSafeEqual(digest(given), digest(configured))) throw new AppError("unauthorized");
}

/**
 * Throws `cross_site` for requests from pages of other origins, also of other subdomains. Accepts requests without Origin
 * and Sec-Fetch-Site, which old browsers and programs send.
 */
function requireSameOrigin(request: NextRequest): void {
  const site = request.headers.get("sec-fetch-site") ?? "none";
  if (site !== "same-origin" && site !== "none") throw new AppError("cross_site");
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const host = URL.canParse(origin) ? new URL(origin).host : "";
  if (host !== request.headers.get("host") && host !== new URL(getEnv().siteUrl).host)
    throw new AppError("cross_site");
}

async function readJson(request: NextRequest): Promise<unknown> {
  const json = parseJson(await readRequestBody(request, "application/json"));
  if (json === undefined) throw new AppError("invalid_json");
  return json;
}

function parse<T>(schema: z.core.$ZodType<T>, input: unknown): T {
  const parsed = z.safeParse(schema, input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".") || "body"] ??= issue.message;
  throw new AppError("invalid_request", { message: Object.values(fields)[0], fields });
}

function readRequestKey(request: NextRequest, route: string, visitor: VisitorIdentity): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  const message = "The Idempotency-Key must be 1 to 200 visible characters.";
  if (!idempotencyKeyPattern.test(key)) throw new AppError("invalid_request", { message });
  // A phone that loses a response often has another address at the next attempt. Only a random key is enough alone.
  const owner = randomKey.test(key) ? "" : visitor.visitorHashes[0];
  return createHash("sha256").update(`${owner}\n${route}\n${key}`).digest("base64url");
}

function toJsonError({ code, message, nextLikesAt, fields, status, retryAfterSeconds }: AppError): Response {
  const failure: ApiFailure = { success: false, code, message, nextLikesAt, fields };
  const headers = new Headers({ "cache-control": "no-store" });
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return Response.json(failure, { status, headers });
}
