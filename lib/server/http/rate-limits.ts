import "server-only";
import { randomBytes } from "node:crypto";
import { Ratelimit } from "@upstash/ratelimit";
import type { Redis } from "@upstash/redis";
import { AppError } from "@/lib/http/errors";
import { limits, networkShares, retention } from "@/lib/config/limits";
import { getEnv, type Env } from "@/lib/server/config/env";
import { clientAddress, type ClientNetworks } from "@/lib/server/identity/identify-visitor";
import { checkSharesLua, sharesOf } from "@/lib/server/identity/network-shares";
import { normalizeAddress } from "@/lib/server/identity/networks";
import { log } from "@/lib/server/log/log";
import { getRedis, withRedis } from "@/lib/server/redis/client";

const windowSeconds = retention.rateLimitWindowMinutes * 60;
/** Maximum number of stored names. 100,000 names need about 15 MB of memory. */
const defaultMaxNames = 100_000;

interface RateLimit {
  /** The limit counts the requests of this subject together. The networks of an address may send more (`networkShares`). */
  per: "address" | "address and networks" | "flow";
  requests: number;
  windowSeconds: number;
  /** Number of requests per address and window that each server process accepts without a call to Redis. */
  free?: number;
}

/**
 * All rate limits. Several people may share one address. `assertLimit` enforces a limit, unless its comment names another function.
 * See docs/decisions/0009-limits-of-a-minute.md.
 */
export const rateLimitPolicies = {
  /**
   * Captcha checks of the flow and of the forms. A person needs one or two checks. The captcha's script counts checks that
   * altcha accepts.
   */
  verify: { per: "address", requests: 20, windowSeconds },
  /** Captcha checks that altcha rejects. Then `verify` limits only the checks that altcha accepts. */
  rejectedVerify: { per: "address", requests: 20, windowSeconds },
  /** Reports of unknown paths. Crawlers and broken links cause many reports. */
  notFoundReport: { per: "address and networks", requests: 20, windowSeconds },
  /** Captcha challenges. The server needs 2 to 3 ms of CPU time to create a challenge. */
  challenge: { per: "address and networks", free: 20, requests: 40, windowSeconds },
  /** Requests for likes. The ledger's script `reserve` enforces this limit together with the order. */
  like: { per: "address", requests: 30, windowSeconds },
  /** Lookups of a flow's post: the first lookup and two retries. `countLookup` enforces this limit. */
  lookup: { per: "flow", requests: 3, windowSeconds: retention.lookupCountMinutes * 60 },
  /**
   * Requests of any kind, in each process, in short bursts. `createRequestLimit` enforces this limit without Redis. A request
   * needs 1 to 5 ms of CPU time. A visit has about 20 requests behind a web server that serves the files, and 40 without one.
   */
  request: { per: "address", requests: 300, windowSeconds: 20 },
} as const satisfies Record<string, RateLimit>;

/** A limit that `assertLimit` enforces. */
export type RateLimitPolicy = Exclude<keyof typeof rateLimitPolicies, "like" | "lookup" | "request">;

const limiters = new Map<RateLimitPolicy, Ratelimit>();

const countLocally = createLocalCounter(windowSeconds);

/** Counts a request. Throws `rate_limited` above a limit. Throws `service_unavailable` if Redis fails. */
export async function assertLimit(policy: RateLimitPolicy, client: ClientNetworks): Promise<void> {
  const { per } = rateLimitPolicies[policy];
  const waitMs = await withRedis(`rate limit ${policy}`, () =>
    per === "address" ? countAddress(policy, client) : countNetworks(policy, client),
  );
  if (waitMs === 0) return;
  throw new AppError("rate_limited", { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
}

async function countAddress(policy: RateLimitPolicy, { addressHashes }: ClientNetworks): Promise<number> {
  const requests = rateLimitPolicies[policy].requests * getEnv().rateLimitScale;
  const limiter = limiters.get(policy) ?? createLimiter(getRedis().batched, policy, requests);
  limiters.set(policy, limiter);
  const { success, reset } = await limiter.limit(addressHashes[0] ?? "");
  return success ? 0 : Math.max(1, reset - Date.now());
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

async function countNetworks(policy: RateLimitPolicy, client: ClientNetworks): Promise<number> {
  const { free = 0, requests, windowSeconds }: RateLimit = rateLimitPolicies[policy];
  const perAddress = requests * getEnv().rateLimitScale;
  const { record, shares } = sharesOf(client, (100 * perAddress) / networkShares.address, perAddress);
  const isFree = shares.map(({ name, max }) => countLocally(`${policy} ${name}`) <= (max * free) / requests);
  if (free > 0 && isFree.every(Boolean)) return 0;
  const args = JSON.stringify({ id: randomId(), shares, lifeMs: windowSeconds * 1_000 });
  const script = getRedis().batched.createScript<number>(countSharesScript);
  return script.exec([`burst:${policy}:${record}`], [args]);
}

/** Counts ARGV[1].shares in KEYS[1]. Returns 0, or above a share the time until a new window, in milliseconds. */
export const countSharesScript = `${checkSharesLua}
local args = cjson.decode(ARGV[1])
local count = checkShares(KEYS[1], args.shares, 1, args.lifeMs, args.id)
if not count then return math.max(1, redis.call('PTTL', KEYS[1])) end
count()
return 0
`;

/** Identifies a request, so that a command that the client repeats does not count it again. */
function randomId(): string {
  return randomBytes(6).toString("base64url");
}

/** Value of the key with a flow's lookups after the last of them. */
export const usedUpLookups = randomId().repeat(rateLimitPolicies.lookup.requests);

type LookupReply = "allowed" | "blocked" | "flow used up" | "share used up";

/**
 * Counts a lookup in KEYS[1], the ids of the flow's lookups without separators, and for its networks in KEYS[2]. If KEYS[3]
 * exists, the post is blocked: counts nothing.
 */
export const lookupScript = `${checkSharesLua}
local args = cjson.decode(ARGV[1])
local ids, blocked = unpack(redis.call('MGET', KEYS[1], KEYS[3]))
if blocked then return 'blocked' end
local isFirst = not ids
ids = ids or ''
if string.find(ids, args.id, 1, true) then return 'allowed' end
if #ids >= args.perFlow * #args.id then return 'flow used up' end
local count = checkShares(KEYS[2], args.shares, 1, args.lifeMs)
if not count then return 'share used up' end
if isFirst then redis.call('SET', KEYS[1], args.id, 'EX', args.flowSeconds) else redis.call('APPEND', KEYS[1], args.id) end
count()
return 'allowed'
`;
const hourMs = 3_600_000;

/**
 * Counts a post lookup, and returns whether the flow and the visitor's networks may have it. If `blockedKey` exists, returns
 * "blocked". Throws `service_unavailable` if Redis fails.
 */
export async function countLookup(flowId: string, client: ClientNetworks, blockedKey: string) {
  const { record, shares } = sharesOf(client, limits.lookupsPerHour * getEnv().rateLimitScale);
  const { requests: perFlow, windowSeconds: flowSeconds } = rateLimitPolicies.lookup;
  const args = { id: randomId(), shares, lifeMs: hourMs, flowSeconds, perFlow };
  const script = getRedis().batched.createScript<LookupReply>(lookupScript);
  const keys = [`{likes}:lookup:flow:${flowId}`, `{likes}:lookup:shares:${record}`, blockedKey];
  return withRedis("count lookup", () => script.exec(keys, [JSON.stringify(args)]));
}

const logIntervalMs = 60_000;

/**
 * Creates a function that counts a request of any kind, whatever its response will be. Returns the time in seconds after
 * which the client may send the request again, or 0 if the address is within the limit or unreadable.
 */
export function createRequestLimit(
  { clientAddress: source, rateLimitScale }: Pick<Env, "clientAddress" | "rateLimitScale">,
  now: () => number = Date.now,
): (headers: Pick<Headers, "get">) => number {
  const { requests, windowSeconds } = rateLimitPolicies.request;
  const countRequest = createLocalCounter(windowSeconds, { now });
  let refused = 0;
  let loggedAt = -Infinity;
  return (headers) => {
    const address = normalizeAddress(clientAddress(headers, source));
    if (address === null) return 0;
    const count = countRequest(address);
    // The counter returns Infinity when it is full. Then people with new addresses still get responses.
    if (count <= requests * rateLimitScale || !Number.isFinite(count)) return 0;
    refused += 1;
    if (now() - loggedAt >= logIntervalMs) {
      log.warn("too many requests", { refused });
      loggedAt = now();
      refused = 0;
    }
    return windowSeconds;
  };
}

/**
 * Creates a counter for each name. The returned function adds 1 to the counter of `name`, and returns the
 * count in the current time window. If `maxNames` names are stored, it returns Infinity for a new name.
 */
export function createLocalCounter(
  windowSeconds: number,
  { maxNames = defaultMaxNames, now = Date.now }: { maxNames?: number; now?: () => number } = {},
): (name: string) => number {
  const counts = new Map<string, number>();
  let current = -1;
  return (name) => {
    const window = Math.floor(now() / (windowSeconds * 1_000));
    if (window !== current) counts.clear();
    current = window;
    const count = (counts.get(name) ?? 0) + 1;
    if (count === 1 && counts.size >= maxNames) return Infinity;
    counts.set(name, count);
    return count;
  };
}
