import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { AppError } from "@/lib/http/errors";

/** Throws `not_found` if no token is configured. Throws `unauthorized` if the given token is wrong. */
export function requireToken(given: string | null, configured: string | undefined): void {
  if (!configured) throw new AppError("not_found");
  if (given === null || !timingSafeEqual(digest(given), digest(configured)))
    throw new AppError("unauthorized");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
