import type { Redis } from "@upstash/redis";
import { createRedis } from "@/lib/server/redis/client";
import { createRestRequester } from "@/lib/server/redis/rest";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import type { Env } from "@/lib/server/env";
import { createBooks } from "@/lib/server/likes/books";
import { limits } from "@/lib/limits";
import { ok, problem, warning, type Finding } from "./finding";

/** A skew that only dates messages wrongly; beyond `limits.clockToleranceSeconds` visitors are sent back to the start. */
const noticeableSkewSeconds = 5;
const slowMs = 200;
const probeSeconds = 10;
const questions = 3;

/** Redis as the site needs it: there, writable, remembering, with the same time. */
export async function checkRedis(env: Env): Promise<Finding[]> {
  const redis = createRedis(env.redis);
  const answers: Awaited<ReturnType<typeof askTime>>[] = [];
  try {
    for (let n = 0; n < questions; n += 1) answers.push(await askTime(redis));
  } catch {
    return [
      problem(
        "redis",
        "it does not answer, or does not let us in",
        env.redis.kind === "tcp"
          ? "start it, and compare REDIS_URL (host, port, user, password, rediss:// for TLS) and the firewall with it"
          : "compare UPSTASH_REDIS_REST_URL and _TOKEN with the database's page at Upstash",
      ),
    ];
  }
  // The quickest answer says most: others waited for the connection, or for this machine.
  const { latencyMs, skewSeconds } = answers.reduce((best, next) =>
    next.latencyMs < best.latencyMs ? next : best,
  );
  const words = `answers after ${latencyMs.toFixed(1)} ms`;
  return [
    latencyMs > slowMs
      ? warning("redis", words, "run site and Redis in the same region")
      : ok("redis", words),
    await checkWriting(env, redis),
    ...(await checkMemory(env)),
    checkClock(skewSeconds),
  ];
}

/** How long Redis took to tell its time, and how far its clock is ahead of this machine's. */
async function askTime(redis: Redis) {
  const startedAt = performance.now();
  const asked = Date.now() / 1_000;
  const [seconds, microseconds] = await redis.time();
  const latencyMs = performance.now() - startedAt;
  return { latencyMs, skewSeconds: seconds + microseconds / 1_000_000 - (asked + latencyMs / 2_000) };
}

async function checkWriting(env: Env, redis: Redis): Promise<Finding> {
  try {
    await createBooks(redis, env.ledger).overview();
    await redis.set("doctor:probe", "1", { ex: probeSeconds });
    await redis.del("doctor:probe");
    return ok("redis writes", "scripts run, and a key was written and deleted");
  } catch (error) {
    const { cause = error } = error as Error;
    const reason = cause instanceof Error ? cause.message : "unknown";
    return problem(
      "redis writes",
      `it refuses a script or a write: ${reason}`,
      "OOM: give it more memory; READONLY: name the primary, not a replica; NOPERM: let the user run scripts, " +
        "and all commands on all keys",
    );
  }
}

async function checkMemory({ redis }: Env): Promise<Finding[]> {
  const requester = redis.kind === "tcp" ? createTcpRequester(redis.url) : createRestRequester(redis);
  const text = await requester
    .request<string>({ body: ["info"] })
    .then((answer) => String((answer as { result?: unknown }).result ?? ""))
    .catch(() => "");
  const valueOf = (name: string) => new RegExp(`^${name}:(.*)\\r?$`, "m").exec(text)?.[1]?.trim();
  return [checkEviction(valueOf("maxmemory_policy")), checkPersistence(valueOf("aof_enabled"), redis.kind)];
}

function checkEviction(policy: string | undefined): Finding {
  if (policy === "noeviction") return ok("redis eviction", "noeviction");
  if (policy === undefined)
    return warning(
      "redis eviction",
      "it does not tell its memory policy",
      "make sure in its console that eviction is off: evicted keys are cooldowns and charges that are forgotten",
    );
  return problem(
    "redis eviction",
    // Every key of the product has a life, so volatile-* is no better than allkeys-*.
    `maxmemory-policy is ${policy}: a full Redis would throw cooldowns and the day's charges away`,
    "set maxmemory-policy noeviction, in its configuration file and by CONFIG SET",
  );
}

function checkPersistence(appendOnly: string | undefined, kind: Env["redis"]["kind"]): Finding {
  if (appendOnly === "1") return ok("redis persistence", "the append-only file is on");
  if (appendOnly === undefined && kind === "rest") return ok("redis persistence", "the provider's business");
  return warning(
    "redis persistence",
    "the append-only file is off: a restart forgets orders and cooldowns",
    "set appendonly yes, in its configuration file and by CONFIG SET",
  );
}

function checkClock(skewSeconds: number): Finding {
  const skew = `${Math.abs(skewSeconds).toFixed(1)} s ${skewSeconds < 0 ? "ahead of" : "behind"} Redis's clock`;
  const remedy = "let both machines take their time from the network (systemd-timesyncd, chrony)";
  if (Math.abs(skewSeconds) > limits.clockToleranceSeconds)
    return problem("clock", `this machine is ${skew}`, remedy);
  if (Math.abs(skewSeconds) > noticeableSkewSeconds)
    return warning("clock", `this machine is ${skew}`, remedy);
  return ok("clock", "this machine and Redis agree");
}
