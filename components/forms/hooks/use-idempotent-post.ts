import { useRef } from "react";
import { mayHaveSucceeded } from "@/lib/client/api/fetch-json";
import { createIdempotencyKey } from "@/lib/client/api/idempotency-key";

type Attempt = <Reply>(data: unknown, post: (idempotencyKey: string) => Promise<Reply>) => Promise<Reply>;

/**
 * Posts data under an Idempotency-Key: the same one as before, unless the server has answered that attempt definitely or
 * the data changed. So pressing the button again after a lost answer cannot send twice.
 */
export function useIdempotentPost(): Attempt {
  const attempt = useRef<{ text: string; key: string } | null>(null);
  return async (data, post) => {
    const text = JSON.stringify(data);
    if (attempt.current?.text !== text) attempt.current = { text, key: createIdempotencyKey() };
    try {
      const reply = await post(attempt.current.key);
      attempt.current = null;
      return reply;
    } catch (error) {
      if (!mayHaveSucceeded(error)) attempt.current = null;
      throw error;
    }
  };
}
