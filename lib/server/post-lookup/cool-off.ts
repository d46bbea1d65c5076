import "server-only";
import type { Redis } from "@upstash/redis";
import { retention } from "@/lib/config/limits";
import { withRedis } from "@/lib/server/redis/client";

const key = "lookup:cool-off";
const maxSeconds = retention.lookupPauseMinutes * 60;

/** A pause without lookups after the provider's rate limit. Methods throw `service_unavailable`. */
export interface CoolOff {
  /** Returns the remaining seconds, rounded up; 0 when lookups are allowed. */
  remainingSeconds(): Promise<number>;
  /** Starts the pause. The duration is clamped to 1 second to 1 hour. */
  start(seconds: number): Promise<void>;
}

/** Creates a cool-off for all processes, in Redis: the provider counts their calls together. */
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
