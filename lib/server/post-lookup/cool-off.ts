import "server-only";
import type { Redis } from "@upstash/redis";
import { retention } from "@/lib/config/limits";
import { withRedis } from "@/lib/server/redis/client";

const key = "lookup:cool-off";
const maxSeconds = retention.lookupPauseMinutes * 60;

/** Pause in which no lookups are sent, because Meta's limit is nearly reached. Throws if Redis fails. */
export interface CoolOff {
  /** Returns the remaining seconds of the pause, rounded up. Returns 0 if lookups are allowed. */
  remainingSeconds(): Promise<number>;
  /** Starts a pause of at least 1 second and at most 1 hour. */
  start(seconds: number): Promise<void>;
}

/** Gives access to the pause in Redis. All processes share it, because Meta counts their calls together. */
export function createCoolOff(redis: Redis): CoolOff {
  return {
    async remainingSeconds() {
      const milliseconds = await withRedis("read cool-off", () => redis.pttl(key));
      return Math.max(0, Math.ceil(milliseconds / 1_000));
    },
    async start(seconds) {
      const ex = Math.min(maxSeconds, Math.max(1, Math.ceil(seconds)));
      await withRedis("start cool-off", () => redis.set(key, "1", { ex }));
    },
  };
}
