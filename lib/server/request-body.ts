import "server-only";
import { AppError } from "@/lib/errors";
import { limits } from "@/lib/limits";
import { readBounded } from "./read-bounded";

/** A request's body as text. Throws when it has another type, is too large, stalls or breaks off. */
export async function readRequestBody(request: Request, wantedType: string): Promise<string> {
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
