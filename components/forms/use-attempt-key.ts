import { useRef } from "react";
import { ApiError } from "@/lib/client/fetch-json";
import { createIdempotencyKey } from "@/lib/client/idempotency-key";

export interface AttemptKey {
  /** The Idempotency-Key for this data: the same one as before, unless that attempt is over or the data changed. */
  keyFor: (data: unknown) => string;
  /** The server has answered definitely: the next attempt is another one. */
  finish: () => void;
}

/** One Idempotency-Key per attempt, so that pressing the button again after a lost answer cannot send twice. */
export function useAttemptKey(): AttemptKey {
  const attempt = useRef<{ data: string; key: string } | null>(null);
  return {
    keyFor(data) {
      const text = JSON.stringify(data);
      if (attempt.current?.data !== text) attempt.current = { data: text, key: createIdempotencyKey() };
      return attempt.current.key;
    },
    finish() {
      attempt.current = null;
    },
  };
}

/** False when the server may have kept the data although this answer does not say so. */
export function isDefiniteFailure(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  // 409: an earlier request of the same attempt is under way. 429: this one was not looked at, an earlier one may be.
  return error.status >= 400 && error.status < 500 && error.status !== 409 && error.status !== 429;
}
