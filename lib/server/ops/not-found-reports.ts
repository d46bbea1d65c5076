import "server-only";
import ipaddr from "ipaddr.js";
import type { Redis } from "@upstash/redis";
import { retention } from "@/lib/config/limits";
import { legacyPaths, normalizePath } from "@/lib/http/routes";
import { onRedis } from "@/lib/server/redis/client";

const key = "not-found:paths";
const maxPathLength = 200;
/** Distinct paths kept; the least frequent give way. */
const maxPaths = 500;
const lifeSeconds = retention.notFoundDays * 86_400;

/**
 * Counts a path that visitors did not find. Bounded in length, number and life, and without what may be personal; legacy
 * paths are known and not counted.
 */
export async function reportNotFound(path: string, redis: Redis): Promise<void> {
  const clean = impersonal(path).slice(0, maxPathLength);
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

/**
 * A path up to the first part that does not look like the name of a page, with a `*` for that part and what follows: an
 * e-mail address, an IP address, a token or a whole link, as people and mail programs paste them behind a host name.
 * Query and fragment are left out.
 */
function impersonal(path: string): string {
  const [plain = ""] = path.split(/[?#]/, 1);
  const parts = plain.split("/");
  const strange = parts.findIndex((part) => part !== "" && !isPageName(part));
  return strange === -1 ? plain : [...parts.slice(0, strange), "*"].join("/");
}

function isPageName(part: string): boolean {
  return /^[\p{L}\p{M}\p{N}._-]{1,40}$/u.test(part) && !ipaddr.IPv4.isValidFourPartDecimal(part);
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
