import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { limits } from "@/lib/config/limits";
import { onRedis } from "@/lib/server/redis/client";
import type { LedgerPolicy } from "./ledger";
import { adminReplies, type LimitChange, type Order } from "./ledger-replies";
import { adminScripts } from "./ledger-scripts";
import { createScriptRunner, keyPrefix } from "./script-runner";

/** One script reads so many orders at most: Redis does nothing else meanwhile. */
const mostOrders = 500;
const mostChanges = 1_000;

export type LedgerAdmin = ReturnType<typeof createLedgerAdmin>;

/**
 * The operator's view of the ledger: what it holds, and the one thing that may be changed by hand, today's limit. Times
 * are Redis's, in milliseconds. Every verb rejects with `service_unavailable` when Redis does not answer in time.
 */
export function createLedgerAdmin(redis: Redis, policy: Pick<LedgerPolicy, "dailyLikeLimit">) {
  const { dailyLikeLimit } = policy;
  const run = createScriptRunner(redis, "books", adminScripts, adminReplies);

  /**
   * Today's budget, the number of open orders (those being delivered right now among them) and when the oldest of them
   * was made, or null. Among very many open orders the oldest is sought in those that are due first.
   */
  function overview() {
    return run("overview", { dailyLikeLimit, most: mostOrders });
  }

  /** The order with this reference, or null. */
  async function find(reference: string): Promise<Order | null> {
    return (await run("readOrders", { ids: [reference] })).orders[0] ?? null;
  }

  /** Open orders, the one that is due first in front; 500 at most. */
  async function listOpen(): Promise<Order[]> {
    return (await run("readOrders", { most: mostOrders })).orders;
  }

  /** Accepted orders as long as their records live, in no order, each once. */
  async function* accepted(): AsyncGenerator<Order> {
    const seen = new Set<string>();
    const orderPrefix = `${keyPrefix}order:`;
    let cursor = "0";
    do {
      const [next, keys] = await onRedis("books scan", () =>
        redis.scan(cursor, { match: `${orderPrefix}*`, count: mostOrders }),
      );
      cursor = String(next);
      // SCAN may name a key twice.
      const ids = keys.map((key) => key.slice(orderPrefix.length)).filter((id) => !seen.has(id));
      for (const id of ids) seen.add(id);
      if (ids.length === 0) continue;
      const { orders } = await run("readOrders", { ids });
      yield* orders.filter(({ state }) => state === "accepted");
    } while (cursor !== "0");
  }

  /**
   * Sets the limit for the rest of this GMT day, or the configured one again (null). It holds for every request that
   * is reserved from then on, whatever server it comes to; a line about it is kept for 30 days.
   *
   * @param limit in likes: one request at least, as the configured limit
   */
  async function changeLimit(limit: number | null, reason?: string): Promise<LimitChange> {
    if (limit !== null && !(Number.isSafeInteger(limit) && limit >= limits.likesPerRequest)) {
      throw new RangeError(`a limit is a whole number of ${limits.likesPerRequest} likes or more`);
    }
    const { change } = await run("changeLimit", {
      dailyLikeLimit,
      limit: limit ?? undefined,
      reason,
      change: randomBytes(12).toString("hex"),
      most: mostChanges,
    });
    return change;
  }

  /** The changes of the last 30 days, the oldest first. */
  async function limitChanges(): Promise<LimitChange[]> {
    return (await run("limitChanges", {})).changes;
  }

  return { overview, find, listOpen, accepted, changeLimit, limitChanges };
}
