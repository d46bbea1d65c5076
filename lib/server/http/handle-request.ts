import "server-only";
import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/http/errors";
import { describeError, log, withRequestId } from "@/lib/server/ops/log";
import { getMeter, type RequestOutcome } from "@/lib/server/ops/meter";
import type { RouteName } from "./route-names";

/** Runs `handle`, logs the request, counts metrics, converts errors to responses, and sets `x-request-id`. */
export function handleRequest<T extends Response>(
  route: RouteName,
  method: string,
  handle: () => Promise<T>,
  toErrorResponse: (failure: AppError) => T,
): Promise<T> {
  const requestId = randomUUID();
  const startedAt = performance.now();
  return withRequestId(requestId, async () => {
    const { response, failure } = await respond(handle, toErrorResponse);
    const { status } = response;
    const durationMs = performance.now() - startedAt;
    log[(failure?.status ?? status) >= 500 ? "error" : "info"]("request", {
      method,
      route,
      status,
      code: failure?.code,
      durationMs: Math.round(durationMs),
      ...describeError(failure?.cause),
    });
    getMeter()?.countRequest(route, failure?.code ?? statusClass(status), durationMs / 1_000);
    response.headers.set("x-request-id", requestId);
    return response;
  });
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
