import type { Redis } from "@upstash/redis";
import { limits } from "@/lib/config/limits";
import type { Env } from "@/lib/server/config/env";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import { createRedis } from "@/lib/server/redis/client";
import { checkConnection } from "@/lib/server/redis/connection-check";
import { parseRedisInfo, probeWrite, readInfoField, type RedisState } from "@/lib/server/redis/probe";
import { findingsOf, tlsErrorPattern, type Finding } from "./finding";

/** A smaller skew is harmless. Above `limits.clockToleranceSeconds`, the site rejects visitors. */
const noticeableSkewSeconds = 5;
const slowMs = 200;
const timeRequests = 3;

/** Connection errors, the most specific first: a pattern of code and message, what the error means, and the remedy. */
const connectionErrors: [pattern: RegExp, says: string, remedy: string][] = [
  [
    /No such master/,
    "the sentinels do not know the name that REDIS_URL has as its host",
    "compare it with the name in their configuration (sentinel monitor)",
  ],
  [
    /sentinel.*(?:NOAUTH|WRONGPASS)/,
    "the sentinels do not accept the password",
    "compare user and password in REDIS_SENTINELS",
  ],
  [/^ *All sentinels are unreachable/, "no sentinel answers", "start them, and compare REDIS_SENTINELS"],
  [
    tlsErrorPattern,
    "TLS fails",
    "compare rediss:// and the port with it; name a private authority in NODE_EXTRA_CA_CERTS",
  ],
  [
    /^(?:ETIMEDOUT|ECONNRESET)/,
    "it does not complete the connection",
    "compare rediss:// (only with TLS) and the port, and look at the firewall",
  ],
  [
    /^ECONNREFUSED/,
    "nothing listens at its host and port",
    "start it, and compare REDIS_URL (host, port); if it ends, read its log",
  ],
  [/^Error: WRONGPASS$/, "it does not accept the token", "copy UPSTASH_REDIS_REST_TOKEN again from its page"],
  [
    /MAXCLIENTS|max number of clients/i,
    "all its connections are taken",
    "find who holds them (CLIENT LIST), or raise maxclients",
  ],
  [/QUOTA/, "its quota is used up", "choose a larger plan at Upstash, or wait until the quota begins anew"],
  [/THROTTLED/, "it gets too many requests", "compare its use with the limit of the plan at Upstash"],
  [/^(?:ENOTFOUND|EAI_AGAIN)/, "its host has no address", "compare REDIS_URL (host) and the DNS with it"],
];

/** Checks that Redis responds, accepts writes, keeps its data, and has the same time as this machine. */
export async function checkRedis(env: Env): Promise<Finding[]> {
  const { ok, warning, problem } = findingsOf("redis");
  const redis = createRedis(env.redis);
  const measured: Awaited<ReturnType<typeof measureTime>>[] = [];
  try {
    for (let n = 0; n < timeRequests; n += 1) measured.push(await measureTime(redis));
  } catch (error) {
    return [problem(...(await explainFailure(env.redis, String(error))))];
  }
  // The other responses waited for the connection or for this machine.
  const [fastest] = measured.sort((a, b) => a.latencyMs - b.latencyMs);
  const { latencyMs, skewSeconds } = fastest!;
  const says = `answers after ${latencyMs.toFixed(1)} ms`;
  const info = await redis.exec<unknown>(["INFO"]).then(String, () => "");
  const state = parseRedisInfo(info);
  return [
    latencyMs > slowMs ? warning(says, "run site and Redis in the same region") : ok(says),
    await checkWrites(env, redis),
    checkEviction(readInfoField(info, "maxmemory_policy")),
    checkPersistence(state, env.redis.kind),
    checkClock(skewSeconds),
  ];
}

/** Connects once more, because errors of the client contain no reason. */
async function explainFailure(redis: Env["redis"], failure: string): Promise<[says: string, remedy: string]> {
  const says = "it does not answer, or does not let us in";
  let known = connectionErrors.find(([pattern]) => pattern.test(failure));
  if (known) return [known[1], known[2]];
  if (redis.kind !== "tcp")
    return [says, "compare UPSTASH_REDIS_REST_URL and _TOKEN with the database's page at Upstash"];
  const message = await checkConnection(redis, (error) => {
    const text = `${"code" in error ? String(error.code) : ""} ${error.message}`;
    known ??= connectionErrors.find(([pattern]) => pattern.test(text));
    return known?.[1] ?? null;
  });
  if (known) return [known[1], known[2]];
  return [
    message ?? says,
    "compare REDIS_URL (host, port, user, password, rediss:// for TLS) and the firewall with it",
  ];
}

/** Measures the latency of Redis, and how far its clock is ahead of this machine's. */
async function measureTime(redis: Redis) {
  const startedAt = performance.now();
  const sentAt = Date.now() / 1_000;
  const [seconds, microseconds] = await redis.time();
  const latencyMs = performance.now() - startedAt;
  return { latencyMs, skewSeconds: seconds + microseconds / 1_000_000 - (sentAt + latencyMs / 2_000) };
}

async function checkWrites(env: Env, redis: Redis): Promise<Finding> {
  const { ok, problem } = findingsOf("redis writes");
  try {
    await createLedgerAdmin(redis, env.ledger).overview();
    await probeWrite(redis);
    return ok("scripts run, and a key was written and deleted");
  } catch (error) {
    const { cause = error } = error as Error;
    return problem(
      `it refuses a script or a write: ${cause instanceof Error ? cause.message : "unknown"}`,
      "OOM: give it more memory; READONLY: name the primary, not a replica; NOREPLICAS: bring its replicas back; " +
        "MISCONF: its disk is full or read-only, or it cannot fork (docs/runbook.md, Redis cannot save); " +
        "QUOTA: choose a larger plan at Upstash; NOPERM: let the user run scripts, and all commands on all keys",
    );
  }
}

function checkEviction(policy: string | undefined): Finding {
  const { ok, warning, problem } = findingsOf("redis eviction");
  if (policy === "noeviction") return ok("noeviction");
  if (policy === undefined)
    return warning(
      "it does not tell its memory policy",
      "make sure in its console that eviction is off: an evicted key is a lost cooldown or charge",
    );
  return problem(
    // All keys have a lifetime, so volatile-* policies are no better than allkeys-*.
    `maxmemory-policy is ${policy}: a full Redis would delete cooldowns and the charges of the day`,
    "set maxmemory-policy noeviction, in its configuration file and by CONFIG SET",
  );
}

function checkPersistence({ appendOnlyFile, saved }: RedisState, kind: Env["redis"]["kind"]): Finding {
  const { ok, warning, problem } = findingsOf("redis persistence");
  if (saved === false)
    return problem(
      "the last attempt to write its file failed",
      "look at its log, at the free space and permissions of its folder, and at vm.overcommit_memory",
    );
  if (appendOnlyFile) return ok("the append-only file is on");
  if (appendOnlyFile === null && kind === "rest") return ok("managed by the provider");
  return warning(
    "the append-only file is off: a restart forgets orders and cooldowns",
    "set appendonly yes, in its configuration file and by CONFIG SET",
  );
}

function checkClock(skewSeconds: number): Finding {
  const { ok, warning, problem } = findingsOf("clock");
  const skew = Math.abs(skewSeconds);
  if (skew <= noticeableSkewSeconds) return ok("this machine and Redis agree");
  return (skew > limits.clockToleranceSeconds ? problem : warning)(
    `this machine is ${skew.toFixed(1)} s ${skewSeconds < 0 ? "ahead of" : "behind"} Redis's clock`,
    "let both machines take their time from the network (systemd-timesyncd, chrony)",
  );
}
