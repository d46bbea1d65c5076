import "server-only";
import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/http/errors";
import { describeError, log, withRequestId } from "@/lib/server/ops/log";
import { getMeter, type RequestOutcome } from "@/lib/server/ops/meter";
import type { RouteName } from "./route-names";

/**
 * Answers a request under an id of its own, which the answer's `x-request-id` tells the visitor, logs one line and counts
 * it. What `handle` throws is answered by `answerFailure`.
 */
export function handleRequest<Answer extends Response>(
  route: RouteName,
  method: string,
  handle: () => Promise<Answer>,
  answerFailure: (failure: AppError) => Answer,
): Promise<Answer> {
  const requestId = randomUUID();
  const startedAt = performance.now();
  return withRequestId(requestId, async () => {
    const { response, failure } = await answer(handle, answerFailure);
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
    getMeter()?.countRequest(route, failure?.code ?? classOf(status), durationMs / 1_000);
    response.headers.set("x-request-id", requestId);
    return response;
  });
}

async function answer<Answer extends Response>(
  handle: () => Promise<Answer>,
  answerFailure: (failure: AppError) => Answer,
): Promise<{ response: Answer; failure?: AppError }> {
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

function classOf(status: number): RequestOutcome {
  if (status < 300) return "2xx";
  return status < 400 ? "3xx" : status < 500 ? "4xx" : "5xx";
}
