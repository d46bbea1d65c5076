import "server-only";
import type { Redis } from "@upstash/redis";
import { retention } from "@/lib/limits";
import { legacyPaths, normalizePath } from "@/lib/routes";
import { onRedis } from "./redis/client";

const key = "not-found:paths";
const maxPathLength = 200;
/** Distinct paths kept; the least frequent give way. */
const maxPaths = 500;
const lifeSeconds = retention.notFoundDays * 86_400;

/** Counts a path that visitors did not find. Bounded in length, number and life; legacy paths are known and not counted. */
export async function reportNotFound(path: string, redis: Redis): Promise<void> {
  const clean = path.replace(/[\p{Cc}\p{Cf}]/gu, "").slice(0, maxPathLength);
  if (legacyPaths.includes(normalizePath(clean))) return;
  await onRedis("not-found report", () =>
    redis
      .pipeline()
      .zincrby(key, 1, clean)
      .zremrangebyrank(key, 0, -(maxPaths + 1))
      .expire(key, lifeSeconds)
      .exec(),
  );
}

/** The most frequent unknown paths, the most frequent first. */
export async function topNotFound(count: number, redis: Redis): Promise<{ path: string; reports: number }[]> {
  const flat = await onRedis("not-found list", () =>
    redis.zrange<(string | number)[]>(key, 0, count - 1, { rev: true, withScores: true }),
  );
  return Array.from({ length: flat.length / 2 }, (_, n) => ({
    path: String(flat[n * 2]),
    reports: Number(flat[n * 2 + 1]),
  }));
}
