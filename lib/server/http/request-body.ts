import "server-only";
import { AppError } from "@/lib/http/errors";
import { limits } from "@/lib/config/limits";
import { readLimited } from "./read-limited";

/** A request's body as text. Throws when it has another type, is too large, stalls or breaks off. */
export async function readRequestBody(request: Request, wantedType: string): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== wantedType) throw new AppError("unsupported_media_type");
  const text = await readText(request.body);
  if (text === null) throw new AppError("body_too_large");
  return text;
}

/** Null for a body that is too long. One that breaks off is no fault of ours. */
async function readText(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  try {
    return await readLimited(body && chunksOf(body), limits.bodyBytes);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("invalid_json");
  }
}

/**
 * A body as it comes; one that stalls must not hold a handler. What is not read is left lying: cancelled, Node's body
 * would throw where nobody catches when its rest arrives.
 */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError("request_timeout")), limits.bodySeconds * 1_000);
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    reader.releaseLock();
  }
}
