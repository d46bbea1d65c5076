import { useRef } from "react";
import { mayHaveSucceeded } from "@/lib/client/api/api-client";
import { createIdempotencyKey } from "@/lib/client/browser/interfaces";

/** Returns a function that posts data. A retry keeps its Idempotency-Key if the data has not changed. */
export function useIdempotentPost() {
  const pending = useRef<{ body: string; key: string } | null>(null);
  return async <Reply>(data: unknown, post: (idempotencyKey: string) => Promise<Reply>) => {
    const body = JSON.stringify(data);
    if (pending.current?.body !== body) pending.current = { body, key: createIdempotencyKey() };
    try {
      const reply = await post(pending.current.key);
      pending.current = null;
      return reply;
    } catch (error) {
      // The server did not store the message, so the next attempt uses a new key.
      if (!mayHaveSucceeded(error)) pending.current = null;
      throw error;
    }
  };
}
