import type { Redis } from "@upstash/redis";
import { createRedis } from "@/lib/server/redis/client";
import { readInfoField, parseRedisInfo, probeWrite, type RedisState } from "@/lib/server/redis/probe";
import type { Env } from "@/lib/server/config/env";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import { limits } from "@/lib/config/limits";
import { ok, problem, warning, type Finding } from "./finding";

/** A skew that only dates messages wrongly; beyond `limits.clockToleranceSeconds` visitors are sent back to the start. */
const noticeableSkewSeconds = 5;
const slowMs = 200;
/** A replica acknowledges once a second. */
const noticeableLagSeconds = 5;
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
    ...(await checkState(env, redis)),
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
    await createLedgerAdmin(redis, env.ledger).overview();
    await probeWrite(redis);
    return ok("redis writes", "scripts run, and a key was written and deleted");
  } catch (error) {
    const { cause = error } = error as Error;
    const reason = cause instanceof Error ? cause.message : "unknown";
    return problem(
      "redis writes",
      `it refuses a script or a write: ${reason}`,
      "OOM: give it more memory; READONLY: name the primary, not a replica; NOREPLICAS: bring its replicas back; " +
        "NOPERM: let the user run scripts, and all commands on all keys",
    );
  }
}

async function checkState(env: Env, redis: Redis): Promise<Finding[]> {
  const info = await redis.exec<unknown>(["INFO"]).then(String, () => "");
  const state = parseRedisInfo(info);
  return [
    checkRole(state),
    checkEviction(readInfoField(info, "maxmemory_policy")),
    checkPersistence(state, env.redis.kind),
  ];
}

function checkRole({ role, replicas, replicationLagSeconds: lag }: RedisState): Finding {
  const check = "redis role";
  if (role === null) return ok(check, "it does not tell");
  if (role === "replica") return problem(check, "a replica, which takes no writes", "name the primary");
  if (lag === null) return ok(check, "primary, without replicas");
  const says = `primary, replicas: ${replicas}, the last one heard of ${lag} s ago`;
  return lag > noticeableLagSeconds
    ? warning(check, says, "look at that replica and its network: a fail-over to it would lose orders")
    : ok(check, says);
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

function checkPersistence({ appendOnlyFile, saved }: RedisState, kind: Env["redis"]["kind"]): Finding {
  const check = "redis persistence";
  if (saved === false)
    return problem(
      check,
      "the last attempt to write its file failed",
      "look at its log, and at room and rights of its folder",
    );
  if (appendOnlyFile) return ok(check, "the append-only file is on");
  if (appendOnlyFile === null && kind === "rest") return ok(check, "the provider's business");
  return warning(
    check,
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
