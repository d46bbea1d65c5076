import "server-only";
import type { Redis } from "@upstash/redis";
import { onRedis } from "./client";

/** Beside the ledger: in a cluster what counts is the node that keeps it. */
const key = "{likes}:probe";
const lifeSeconds = 10;

/** What a Redis tells of itself, as far as it does (Upstash and narrow users tell little): null is unknown. */
export interface RedisState {
  role: "primary" | "replica" | null;
  /** How many replicas follow a primary. */
  replicas: number | null;
  /** Seconds since the replica that is furthest behind was heard of; null without replicas. */
  replicationLagSeconds: number | null;
  /** Whether every write goes into a file; without one a restart forgets what came after the last snapshot. */
  appendOnlyFile: boolean | null;
  /** Whether that file, or else the last snapshot, could be written. */
  saved: boolean | null;
}

/** Writes a key and deletes it; rejects with `service_unavailable` where Redis does not take it. */
export async function probeWriting(redis: Redis): Promise<void> {
  await onRedis("probe", () => redis.pipeline().set(key, "1", { ex: lifeSeconds }).del(key).exec());
}

/** Asks Redis about itself. Never rejects: who may not ask knows nothing. */
export async function readRedisState(redis: Redis): Promise<RedisState> {
  const info = await onRedis("info", () => redis.exec<unknown>(["INFO"])).catch(() => "");
  return parseRedisInfo(String(info));
}

/** Reads the answer to INFO. */
export function parseRedisInfo(info: string): RedisState {
  const valueOf = (name: string) => infoValue(info, name);
  const lags = [...info.matchAll(/^slave\d+:.*\blag=(\d+)/gm)].map(([, seconds]) => Number(seconds));
  const replicas = valueOf("connected_slaves");
  const appendOnly = valueOf("aof_enabled");
  const saved = valueOf(appendOnly === "1" ? "aof_last_write_status" : "rdb_last_bgsave_status");
  return {
    role: roleOf(valueOf("role")),
    replicas: replicas === undefined ? null : Number(replicas),
    replicationLagSeconds: lags.length > 0 ? Math.max(...lags) : null,
    appendOnlyFile: appendOnly === undefined ? null : appendOnly === "1",
    saved: saved === undefined ? null : saved === "ok",
  };
}

/** The value of a line of INFO. */
export function infoValue(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*)\\r?$`, "m").exec(info)?.[1]?.trim();
}

function roleOf(role: string | undefined): RedisState["role"] {
  if (role === "master") return "primary";
  return role === "slave" ? "replica" : null;
}
