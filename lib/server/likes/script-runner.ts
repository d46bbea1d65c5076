import "server-only";
import type { Redis } from "@upstash/redis";
import type { z } from "zod";
import { retention } from "@/lib/config/limits";
import { onRedis } from "@/lib/server/redis/client";

/** Version in the prefix: a change of the keys' meaning gets a new one. The hash tag keeps all in one cluster slot. */
export const keyPrefix = "{likes}:v2:";
/**
 * Both are named to Redis, and neither exists. While a cluster hands the slot to another node, that node would run a
 * script on the keys that it has so far, as though the others had never been; a script of several keys it puts off.
 */
const namedKeys = [keyPrefix, `${keyPrefix}whole`];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long each kind of key lives after its last write. */
const livesMs = {
  order: retention.orderDays * dayMs,
  /** Also the age at which an open order is abandoned. */
  pending: retention.openOrderHours * hourMs,
  /** An Idempotency-Key in its visitor's record. */
  request: retention.idempotencyKeyHours * hourMs,
  budget: retention.budgetDays * dayMs,
};

/**
 * Gives a function that runs one of these scripts (ledger-scripts.ts) and reads its reply (ledger-replies.ts). It rejects
 * with `service_unavailable` when Redis does not answer in time.
 *
 * @param name stands before the verb in the log
 */
export function createScriptRunner<Verb extends string, Replies extends Record<Verb, z.ZodType>>(
  redis: Redis,
  name: string,
  scripts: Readonly<Record<Verb, string>>,
  replies: Replies,
) {
  const prepared = new Map(
    Object.entries<string>(scripts).map(([verb, script]) => [verb, redis.createScript<unknown>(script)]),
  );
  return async <V extends Verb>(verb: V, args: object): Promise<z.output<Replies[V]>> => {
    const answer = await onRedis(`${name} ${verb}`, async () =>
      prepared.get(verb)?.exec(namedKeys, [JSON.stringify({ livesMs, ...args })]),
    );
    return replies[verb].parse(answer);
  };
}
