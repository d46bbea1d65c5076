import "server-only";
import type { Redis } from "@upstash/redis";
import { retention } from "@/lib/config/limits";
import { onRedis } from "@/lib/server/redis/client";

const key = "lookup:cool-off";
const longestSeconds = retention.lookupPauseMinutes * 60;

/** A time in which a provider that limits us is not asked. */
export interface CoolOff {
  /** Seconds it still lasts, rounded up; 0 when the provider may be asked. Throws `service_unavailable`. */
  remainingSeconds(): Promise<number>;
  /** Starts it for 1 second to 1 hour. Throws `service_unavailable`. */
  start(seconds: number): Promise<void>;
}

/**
 * One cool-off for all processes: the provider counts their calls together. It lives in Redis as a key that expires by
 * itself, so nobody has to end it.
 */
export function createCoolOff(redis: Redis): CoolOff {
  return {
    async remainingSeconds() {
      const milliseconds = await onRedis("read cool-off", () => redis.pttl(key));
      return Math.max(0, Math.ceil(milliseconds / 1_000));
    },
    async start(seconds) {
      const ex = Math.min(longestSeconds, Math.max(1, Math.ceil(seconds)));
      await onRedis("start cool-off", () => redis.set(key, "1", { ex }));
    },
  };
}
