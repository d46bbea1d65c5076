import "server-only";
import { AppError } from "@/lib/http/errors";
import { limits } from "@/lib/config/limits";
import { withTimeout } from "@/lib/server/async/with-timeout";
import { readLimited } from "./read-limited";

/** Reads a request body as text. Throws an AppError for a wrong content type, a long body or a time-out. */
export async function readRequestBody(request: Request, expectedType: string): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== expectedType) throw new AppError("unsupported_media_type");
  const text = await readText(request.body);
  if (text === null) throw new AppError("body_too_large");
  return text;
}

/** Returns null if the body is too long. Throws an error with status 400 if the connection breaks. */
async function readText(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  try {
    return await withTimeout(
      limits.bodySeconds * 1_000,
      () => new AppError("request_timeout"),
      () => readLimited(body && readChunks(body), limits.bodyBytes),
    );
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("invalid_json");
  }
}

/** Yields the chunks of a body. Does not cancel the stream, because that would cause an uncaught error in Node. */
async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
