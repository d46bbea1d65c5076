import "server-only";
import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import { describeError, log, withRequestId } from "./log";

/**
 * Answers a request under an id of its own, which the answer's `x-request-id` tells the visitor, and logs one line. What
 * `handle` throws is answered by `answerFailure`.
 *
 * @param route for the log
 */
export function answerRequest<Answer extends Response>(
  route: string,
  method: string,
  handle: () => Promise<Answer>,
  answerFailure: (failure: AppError) => Answer,
): Promise<Answer> {
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
