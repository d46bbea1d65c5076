import "server-only";
import { randomBytes } from "node:crypto";
import { Ratelimit } from "@upstash/ratelimit";
import type { Redis } from "@upstash/redis";
import { AppError } from "@/lib/http/errors";
import { limits, networkShares, retention } from "@/lib/config/limits";
import { getEnv } from "@/lib/server/config/env";
import type { ClientNetworks } from "@/lib/server/identity/identify-visitor";
import { checkSharesLua, sharesOf, type NetworkShares } from "@/lib/server/identity/network-shares";
import { createLocalCounter } from "./local-counter";
import { getRedis, withRedis } from "@/lib/server/redis/client";

const windowSeconds = retention.rateLimitWindowMinutes * 60;

interface RateLimit {
  requests: number;
  windowSeconds: number;
  /** Number of requests per address and window that each server process accepts without a call to Redis. */
  free?: number;
  /** If true, the networks of an address have limits, too: more requests in the ratio of `networkShares`. */
  networks?: boolean;
}

/**
 * Rate limits per IP address, for routes that cost more than the count of their requests. request-limit.ts counts all requests.
 * Several people may share one address. See docs/decisions/0009-limits-of-a-minute.md.
 */
export const rateLimitPolicies = {
  /** Captcha checks of the flow and of the forms. A person needs one or two checks. */
  verify: { requests: 20, windowSeconds },
  /** Captcha checks that altcha rejects. Then `verify` limits only the checks that altcha accepts. */
  rejectedVerify: { requests: 20, windowSeconds },
  /** Reports of unknown paths. Crawlers and broken links cause many reports. */
  notFoundReport: { requests: 20, windowSeconds, networks: true },
  /** Captcha challenges. The server needs 2 to 3 ms of CPU time to create a challenge. */
  challenge: { free: 20, requests: 40, windowSeconds, networks: true },
} as const satisfies Record<string, RateLimit>;

/** Maximum lookups per flow (the visitor's steps from link to receipt): the first lookup and two retries. */
export const lookupsPerFlow = 3;

/** Rate limit of requests for likes per IP address. The Redis script `reserve` enforces this limit. */
export const likeRateLimit = { requests: 30, windowSeconds } as const;

export type RateLimitPolicy = keyof typeof rateLimitPolicies;

const limiters = new Map<RateLimitPolicy, Ratelimit>();

const countLocally = createLocalCounter(windowSeconds);

/** Counts a request. Throws `rate_limited` above a limit. Throws `service_unavailable` if Redis fails. */
export async function checkRateLimit(policy: RateLimitPolicy, client: ClientNetworks): Promise<void> {
  const { free = 0, requests, networks }: RateLimit = rateLimitPolicies[policy];
  const scale = getEnv().rateLimitScale;
  const counted = networks ? client : { ...client, networks: [] };
  const capacity = (100 * requests * scale) / networkShares.address;
  const { record, shares } = sharesOf(counted, capacity, requests * scale);
  const isFree = shares.map(({ name, max }) => countLocally(`${policy} ${name}`) <= (max * free) / requests);
  if (free > 0 && isFree.every(Boolean)) return;
  const waitMs = await withRedis(`rate limit ${policy}`, () =>
    networks ? countShares(`burst:${policy}:${record}`, shares) : countAddress(policy, client),
  );
  if (waitMs === 0) return;
  throw new AppError("rate_limited", { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
}

/** Counts ARGV[1].shares in KEYS[1]. Returns 0, or above a share the time until a new window, in milliseconds. */
export const countSharesScript = `${checkSharesLua}
local args = cjson.decode(ARGV[1])
local count = checkShares(KEYS[1], args.shares, 1, args.lifeMs, args.id)
if not count then return math.max(1, redis.call('PTTL', KEYS[1])) end
count()
return 0
`;

function countShares(key: string, shares: NetworkShares["shares"]): Promise<number> {
  const args = JSON.stringify({ id: randomId(), shares, lifeMs: windowSeconds * 1_000 });
  return getRedis().batched.createScript<number>(countSharesScript).exec([key], [args]);
}

async function countAddress(
  policy: RateLimitPolicy,
  { addressHashes: [address = ""] }: ClientNetworks,
): Promise<number> {
  const { success, reset } = await getLimiter(policy).limit(address);
  return success ? 0 : Math.max(1, reset - Date.now());
}

/** Identifies a request, so that a command that the client repeats does not count it again. */
function randomId(): string {
  return randomBytes(6).toString("base64url");
}

/** Value of the key with a flow's lookups after the last of them. */
export const usedUpLookups = randomId().repeat(lookupsPerFlow);

type LookupReply = "allowed" | "flow used up" | "share used up";

/** Counts a lookup in KEYS[1], the ids of the flow's lookups without separators, and for its networks in KEYS[2]. */
export const lookupScript = `${checkSharesLua}
local args = cjson.decode(ARGV[1])
local isFirst = redis.call('SET', KEYS[1], args.id, 'NX', 'EX', args.flowSeconds)
local ids = isFirst and '' or redis.call('GET', KEYS[1])
if string.find(ids, args.id, 1, true) then return 'allowed' end
if #ids >= args.perFlow * #args.id then return 'flow used up' end
local count = checkShares(KEYS[2], args.shares, 1, args.lifeMs)
if not count then
  if isFirst then redis.call('DEL', KEYS[1]) end
  return 'share used up'
end
if not isFirst then redis.call('APPEND', KEYS[1], args.id) end
count()
return 'allowed'
`;
const hourMs = 3_600_000;

/**
 * Counts a post lookup, and returns whether the flow and the visitor's networks may have it. Throws
 * `service_unavailable` if Redis fails.
 */
export async function countLookup(flowId: string, client: ClientNetworks): Promise<LookupReply> {
  const { record, shares } = sharesOf(client, limits.lookupsPerHour * getEnv().rateLimitScale);
  const flowSeconds = retention.lookupCountMinutes * 60;
  const args = { id: randomId(), shares, lifeMs: hourMs, flowSeconds, perFlow: lookupsPerFlow };
  const script = getRedis().batched.createScript<LookupReply>(lookupScript);
  // {lookup} puts both keys into one slot of a cluster.
  const keys = [`{lookup}:flow:${flowId}`, `{lookup}:shares:${record}`];
  return withRedis("count lookup", () => script.exec(keys, [JSON.stringify(args)]));
}

function getLimiter(policy: RateLimitPolicy): Ratelimit {
  const existing = limiters.get(policy);
  if (existing) return existing;
  const requests = rateLimitPolicies[policy].requests * getEnv().rateLimitScale;
  const limiter = createLimiter(getRedis().batched, policy, requests);
  limiters.set(policy, limiter);
  return limiter;
}

/** Creates the limiter of a policy. It allows `requests` for each address in a window. */
export function createLimiter(redis: Redis, policy: RateLimitPolicy, requests: number): Ratelimit {
  return new Ratelimit({
    redis,
    limiter: Ratelimit.fixedWindow(requests, `${rateLimitPolicies[policy].windowSeconds} s`),
    prefix: `burst:${policy}`,
    // Disables the time-out of @upstash/ratelimit. After a time-out, the library would accept the request.
    timeout: 0,
    // The library's cache in the process would keep every refused address for ever.
    ephemeralCache: false,
  });
}
