import "server-only";
import type { Redis } from "@upstash/redis";
import { withRedis } from "./client";

/** Key of the write check. The ledger's hash tag selects the cluster node that stores the ledger. */
const key = "{likes}:probe";
const ttlSeconds = 10;

/** State of a Redis. Null means unknown: Upstash and users with few permissions get an incomplete INFO. */
export interface RedisState {
  role: "primary" | "replica" | null;
  replicas: number | null;
  /** Largest replication lag of all replicas, in seconds; null without replicas. */
  replicationLagSeconds: number | null;
  /** Without an append-only file, a restart loses all writes since the last snapshot. */
  appendOnlyFile: boolean | null;
  /** Whether the last write to the append-only file (or else the last snapshot) succeeded. */
  saved: boolean | null;
}

/** Writes and deletes a key. Throws `service_unavailable` when Redis does not accept the write. */
export async function probeWrite(redis: Redis): Promise<void> {
  await withRedis("probe", () => redis.pipeline().set(key, "1", { ex: ttlSeconds }).del(key).exec());
}

/** Reads the state of Redis with INFO. Never rejects: all values are null when INFO fails. */
export async function readRedisState(redis: Redis): Promise<RedisState> {
  const info = await withRedis("info", () => redis.exec<unknown>(["INFO"])).catch(() => "");
  return parseRedisInfo(String(info));
}

/** Parses the reply to INFO. */
export function parseRedisInfo(info: string): RedisState {
  const valueOf = (name: string) => readInfoField(info, name);
  const lags = [...info.matchAll(/^slave\d+:.*\blag=(\d+)/gm)].map(([, seconds]) => Number(seconds));
  const role = valueOf("role");
  const replicas = valueOf("connected_slaves");
  const appendOnly = valueOf("aof_enabled");
  const saved = valueOf(appendOnly === "1" ? "aof_last_write_status" : "rdb_last_bgsave_status");
  return {
    role: role === "master" ? "primary" : role === "slave" ? "replica" : null,
    replicas: replicas === undefined ? null : Number(replicas),
    replicationLagSeconds: lags.length > 0 ? Math.max(...lags) : null,
    appendOnlyFile: appendOnly === undefined ? null : appendOnly === "1",
    saved: saved === undefined ? null : saved === "ok",
  };
}

/** Returns the value of a field in the reply to INFO, or undefined. */
export function readInfoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*)\\r?$`, "m").exec(info)?.[1]?.trim();
}
