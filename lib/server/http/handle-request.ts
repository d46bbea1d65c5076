import "server-only";
import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/http/errors";
import { countRequest, hasHttpServer } from "@/lib/server/http-guard/http-guard";
import { requestAddress } from "@/lib/server/identity/identify-visitor";
import { describeError, log, withRequestId } from "@/lib/server/log/log";
import { getMeter, type RequestOutcome, type RouteName } from "@/lib/server/metrics/meter";
import { createLocalCounter } from "./rate-limits";

/** Interval in which the log has one line for equal refusals (status 4xx) of an address, in seconds. */
const refusalIntervalSeconds = 60;
const countRefusal = createLocalCounter(refusalIntervalSeconds, { maxNames: 10_000 });

/**
 * Runs `handle`, logs the request, counts metrics, converts errors to responses, and sets `x-request-id`. The log omits
 * repeated refusals of an address.
 */
export function handleRequest<T extends Response>(
  route: RouteName,
  request: Request,
  handle: () => Promise<T>,
  toErrorResponse: (failure: AppError) => T,
): Promise<T> {
  const requestId = randomUUID();
  const startedAt = performance.now();
  return withRequestId(requestId, async () => {
    const { response, failure } = await respond(() => limitRequest(request).then(handle), toErrorResponse);
    const durationMs = performance.now() - startedAt;
    const isFault = (failure?.status ?? response.status) >= 500;
    if (!failure || isFault || countRefusal(`${route} ${failure.code} ${requestAddress(request)}`) === 1)
      log[isFault ? "error" : "info"]("request", {
        method: request.method,
        route,
        status: response.status,
        code: failure?.code,
        durationMs: Math.round(durationMs),
        ...describeError(failure?.cause),
      });
    getMeter()?.countRequest(route, failure?.code ?? statusClass(response.status), durationMs / 1_000);
    response.headers.set("x-request-id", requestId);
    return response;
  });
}

/** On a serverless host, no HTTP guard runs before the route. Throws `rate_limited` above the limit of an address. */
async function limitRequest({ headers }: Request): Promise<void> {
  if (hasHttpServer()) return;
  const retryAfterSeconds = countRequest(headers);
  if (retryAfterSeconds > 0) throw new AppError("rate_limited", { retryAfterSeconds });
}

async function respond<T extends Response>(
  handle: () => Promise<T>,
  toErrorResponse: (failure: AppError) => T,
): Promise<{ response: T; failure?: AppError }> {
  try {
    return { response: await handle() };
  } catch (error) {
    const failure = error instanceof AppError ? error : new AppError("internal", { cause: error });
    const response = toErrorResponse(failure);
    // The client may still be sending the body, so the server cannot read another request on this connection.
    if (failure.code === "request_timeout") response.headers.set("connection", "close");
    return { response, failure };
  }
}

function statusClass(status: number): RequestOutcome {
  if (status < 300) return "2xx";
  return status < 400 ? "3xx" : status < 500 ? "4xx" : "5xx";
}
