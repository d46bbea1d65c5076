import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "@upstash/redis";
import { withRedis } from "./client";

const ttlSeconds = 10;

/** Writes and deletes a test key for each prefix. Throws `service_unavailable` when Redis does not accept a write. */
export async function probeWrite(redis: Redis, prefixes: readonly string[] = ["{likes}"]): Promise<void> {
  const pipeline = redis.pipeline();
  for (const prefix of prefixes)
    pipeline.set(`${prefix}:probe`, "1", { ex: ttlSeconds }).del(`${prefix}:probe`);
  await withRedis("probe", () => pipeline.exec());
}

/** Reads the state of Redis with INFO. When INFO fails, all values are null; the promise never rejects. */
export async function readRedisState(redis: Redis): Promise<ReturnType<typeof parseRedisInfo>> {
  return parseRedisInfo(await readInfo(redis));
}

async function readInfo(redis: Redis): Promise<string> {
  return withRedis("info", () => redis.exec<unknown>(["INFO"])).then(String, () => "");
}

/**
 * Removes deleted data from the append-only file, if Redis has one. Returns false if this fails or takes longer than 10 s.
 * Never rejects.
 */
export async function rewriteAppendOnlyFile(redis: Redis): Promise<boolean> {
  if ((await readRedisState(redis)).appendOnlyFile === false) return true;
  let isRunning = await withRedis("rewrite", () => redis.exec<unknown>(["BGREWRITEAOF"])).then(
    Boolean,
    () => false,
  );
  for (let n = 0; isRunning && n < 100; n += 1) {
    await pause(100);
    const info = await readInfo(redis);
    isRunning = /^aof_rewrite_(?:in_progress|scheduled):1/m.test(info);
    if (!isRunning) return readInfoField(info, "aof_last_bgrewrite_status") === "ok";
  }
  return false;
}

/**
 * Parses the text that Redis returns for INFO. Null means unknown: INFO is incomplete on Upstash and for users with few
 * permissions.
 */
export function parseRedisInfo(info: string) {
  const valueOf = (name: string) => readInfoField(info, name);
  const lags = [...info.matchAll(/^slave\d+:.*\blag=(\d+)/gm)].map(([, seconds]) => Number(seconds));
  const role = valueOf("role");
  const replicas = valueOf("connected_slaves");
  // While Redis reads the file, it says that the file is off.
  const appendOnly = valueOf("loading") === "1" ? undefined : valueOf("aof_enabled");
  const saves = [...info.matchAll(/^(?:aof_last_write|aof_last_bgrewrite|rdb_last_bgsave)_status:(\w+)/gm)];
  return {
    role: role === "master" ? "primary" : role === "slave" ? "replica" : null,
    replicas: replicas === undefined ? null : Number(replicas),
    /** Replication lag of the slowest replica. Null without replicas. */
    replicationLagSeconds: lags.length > 0 ? Math.max(...lags) : null,
    /** Without the append-only file, a crash loses all writes since the last snapshot. */
    appendOnlyFile: appendOnly === undefined ? null : appendOnly === "1",
    /** Another policy than "noeviction" deletes cooldowns and charges when Redis is full. */
    evictionPolicy: valueOf("maxmemory_policy") ?? null,
    /** Whether the last snapshot, and the last write and rewrite of the append-only file, succeeded. */
    saved: saves.length === 0 ? null : saves.every(([, result]) => result === "ok"),
  };
}

/** Returns the value of a field in the text that Redis returns for INFO, or undefined. */
function readInfoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*)\\r?$`, "m").exec(info)?.[1]?.trim();
}
