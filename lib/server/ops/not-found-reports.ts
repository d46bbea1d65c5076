import "server-only";
import ipaddr from "ipaddr.js";
import type { Redis } from "@upstash/redis";
import { retention } from "@/lib/config/limits";
import { legacyPaths, normalizePath } from "@/lib/http/routes";
import { withRedis } from "@/lib/server/redis/client";

const key = "not-found:paths";
const maxPathLength = 200;
/** Maximum number of distinct paths; Redis drops the least frequent ones first. */
const maxPaths = 500;
const lifeSeconds = retention.notFoundDays * 86_400;

/** Counts a path that returned 404, without personal data. Throws `service_unavailable`. */
export async function reportNotFound(path: string, redis: Redis): Promise<void> {
  const clean = maskPersonalSegments(path).slice(0, maxPathLength);
  if (legacyPaths.includes(normalizePath(clean))) return;
  await withRedis("not-found report", () =>
    redis
      .pipeline()
      .zincrby(key, 1, clean)
      .zremrangebyrank(key, 0, -(maxPaths + 1))
      .expire(key, lifeSeconds)
      .exec(),
  );
}

/**
 * Removes query and fragment, and replaces everything from the first segment that is not a plain page name
 * with `*`. Paths can contain pasted e-mail addresses, IP addresses, tokens or whole links.
 */
function maskPersonalSegments(path: string): string {
  const [pathname = ""] = path.split(/[?#]/, 1);
  const segments = pathname.split("/");
  const firstMasked = segments.findIndex((segment) => segment !== "" && !isPageName(segment));
  return firstMasked === -1 ? pathname : [...segments.slice(0, firstMasked), "*"].join("/");
}

function isPageName(segment: string): boolean {
  return /^[\p{L}\p{M}\p{N}._-]{1,40}$/u.test(segment) && !ipaddr.IPv4.isValidFourPartDecimal(segment);
}

/** Returns up to `count` reported paths, most frequent first. */
export async function topNotFound(count: number, redis: Redis): Promise<{ path: string; reports: number }[]> {
  const flat = await withRedis("not-found list", () =>
    redis.zrange<(string | number)[]>(key, 0, count - 1, { rev: true, withScores: true }),
  );
  return Array.from({ length: flat.length / 2 }, (_, n) => ({
    path: String(flat[n * 2]),
    reports: Number(flat[n * 2 + 1]),
  }));
}
