import "server-only";
import { AppError } from "@/lib/http/errors";
import { limits } from "@/lib/config/limits";
import { withTimeout } from "@/lib/server/async/with-timeout";

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
      // Canceling the stream would cause an uncaught error in Node.
      () => readLimited(body && body.values({ preventCancel: true }), limits.bodyBytes),
    );
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("invalid_json");
  }
}

/** Parses JSON. Returns undefined for a missing or malformed text. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** Reads a request or response body as UTF-8 text. Returns null if the body is longer than `maxBytes`. */
export async function readLimited(body: AsyncIterable<Uint8Array> | null, maxBytes: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
