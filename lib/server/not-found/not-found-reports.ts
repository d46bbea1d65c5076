import "server-only";
import ipaddr from "ipaddr.js";
import type { Redis } from "@upstash/redis";
import { retention } from "@/lib/config/limits";
import { legacyPaths, normalizePath } from "@/lib/http/pages";
import { withRedis } from "@/lib/server/redis/client";

const key = "not-found:paths";
/** Paths with the time of their last report. The tag {…} puts both keys into one slot of a cluster. */
const newestKey = `{${key}}:newest`;
const maxPathLength = 200;
/** Maximum number of stored paths. Above it, Redis removes paths with few reports, but not the newest. */
const maxPaths = 500;
/** Number of paths that stay because they were reported last. A new path needs time to collect reports. */
const newestPaths = 100;
const lifeSeconds = retention.notFoundDays * 86_400;

/**
 * Counts the path ARGV[1]. ARGV: time, lifetime in seconds, maximum of newest paths, maximum of paths. The time has a random
 * fraction, which identifies the report if the client sends the command again.
 */
export const reportScript = `
local path, newest, most = ARGV[1], tonumber(ARGV[4]), tonumber(ARGV[5])
if tonumber(redis.call('ZSCORE', KEYS[2], path) or 0) == tonumber(ARGV[2]) then return end
redis.call('ZINCRBY', KEYS[1], 1, path)
redis.call('ZADD', KEYS[2], ARGV[2], path)
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -(newest + 1))
local excess = redis.call('ZCARD', KEYS[1]) - most
if excess > 0 then
  local rare = redis.call('ZRANGE', KEYS[1], 0, newest + excess - 1)
  for i, time in ipairs(redis.call('ZMSCORE', KEYS[2], unpack(rare))) do
    if excess > 0 and not time then excess = excess - redis.call('ZREM', KEYS[1], rare[i]) end
  end
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
`;

/** Counts a report of an unknown path. Removes personal data from the path. Throws if Redis fails. */
export async function reportNotFound(path: string, redis: Redis): Promise<void> {
  const clean = maskPersonalSegments(path).slice(0, maxPathLength);
  if (legacyPaths.includes(normalizePath(clean))) return;
  await withRedis("not-found report", () =>
    redis
      .createScript(reportScript)
      .exec(
        [key, newestKey],
        [clean, ...[Date.now() + Math.random(), lifeSeconds, newestPaths, maxPaths].map(String)],
      ),
  );
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
    reports: Number(flat[n * 2 + 1]),
  }));
}
