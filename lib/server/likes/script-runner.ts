import "server-only";
import type { Redis } from "@upstash/redis";
import type { z } from "zod";
import { retention } from "@/lib/config/limits";
import { withRedis } from "@/lib/server/redis/client";
import { ledgerReplies } from "./ledger-replies";
import type { ledgerScripts } from "./ledger-scripts";

type Replies = typeof ledgerReplies;

/** Prefix of all ledger keys. {likes} puts them into one slot of a cluster. v2 is the data format. */
export const keyPrefix = "{likes}:v2:";
/**
 * Every script gets these two keys, although neither key exists. While a cluster moves the slot, a node
 * replies TRYAGAIN to a script with two keys. With one key, the node would run the script on incomplete data.
 */
const scriptKeys = [keyPrefix, `${keyPrefix}whole`];

/**
 * Returns the key whose existence means that a post gets no likes. A code with 28 more characters, as old private posts have
 * it, is the same post.
 */
export function blockedKey(postId: string): string {
  return `${keyPrefix}blocked:${postId.length > 28 ? postId.slice(0, -28) : postId}`;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Retention periods that the scripts apply, in milliseconds. lib/config/limits.ts explains each period. */
const ttlMs = {
  order: retention.orderDays * dayMs,
  openOrder: retention.openOrderHours * hourMs,
  requestKey: retention.idempotencyKeyHours * hourMs,
  budget: retention.budgetDays * dayMs,
};

/** Creates a function that runs a script by name. It throws `service_unavailable` when Redis fails. */
export function createScriptRunner(redis: Redis, name: string, scripts: typeof ledgerScripts) {
  const prepared = new Map(
    Object.entries(scripts).map(([verb, script]) => [verb, redis.createScript<unknown>(script)]),
  );
  return async <Verb extends keyof Replies>(verb: Verb, args: object) => {
    const reply = await withRedis(`${name} ${verb}`, async () =>
      prepared.get(verb)?.exec(scriptKeys, [JSON.stringify({ ttlMs, ...args })]),
    );
    return ledgerReplies[verb].parse(reply) as z.output<Replies[Verb]>;
  };
}
