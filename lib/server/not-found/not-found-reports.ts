import "server-only";
import ipaddr from "ipaddr.js";
import type { Redis } from "@upstash/redis";
import { retention } from "@/lib/config/limits";
import { legacyPaths, normalizePath } from "@/lib/http/pages";
import { withRedis } from "@/lib/server/redis/client";

const key = "not-found:paths";
const maxPathLength = 200;
const maxPaths = 500;
const lifeSeconds = retention.notFoundDays * 86_400;

/**
 * Counts a report of an unknown path. Removes personal data from the path. Above 500 paths, halves all counts and removes paths
 * with a count below 1, so that new paths have time to collect reports. Throws if Redis fails.
 */
export async function reportNotFound(path: string, redis: Redis): Promise<void> {
  const clean = maskPersonalSegments(path).slice(0, maxPathLength);
  if (legacyPaths.includes(normalizePath(clean))) return;
  const count = redis.pipeline().zincrby(key, 1, clean).expire(key, lifeSeconds).zcard(key);
  const [, , paths] = await withRedis("not-found report", () => count.exec<[number, number, number]>());
  if (paths <= maxPaths) return;
  const halve = redis
    .pipeline()
    .zunionstore(key, 1, [key], { weights: [0.5] })
    .zremrangebyscore(key, "-inf", "(1");
  await withRedis("not-found halving", () => halve.expire(key, lifeSeconds).exec());
}

/**
 * Removes query and fragment. If a segment does not look like a page name, replaces that segment and all
 * later segments with `*`. A path may contain a pasted e-mail address, IP address, token or link.
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

/** Returns up to `count` reported paths. The path with the most reports is first. */
export async function topNotFound(count: number, redis: Redis): Promise<{ path: string; reports: number }[]> {
  const flat = await withRedis("not-found list", () =>
    redis.zrange<(string | number)[]>(key, 0, count - 1, { rev: true, withScores: true }),
  );
  return Array.from({ length: flat.length / 2 }, (_, n) => ({
    path: String(flat[n * 2]),
    reports: Math.ceil(Number(flat[n * 2 + 1])),
  }));
}
