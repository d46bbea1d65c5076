import "server-only";

/** How long one Redis request may take, all tries included: a failing endpoint has to answer 503 within 2 s. */
export const redisDeadlineMs = 1_500;

/** What a request that is past its deadline rejects with, whatever the transport. */
export class RedisTimeout extends Error {
  override name = "RedisTimeout";
  constructor() {
    super("Redis did not answer in time");
  }
}

/** Resolves or rejects with the work, or rejects with a RedisTimeout when the deadline (milliseconds) passes first. */
export async function withDeadline<T>(work: Promise<T>, deadlineMs = redisDeadlineMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new RedisTimeout()), deadlineMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
