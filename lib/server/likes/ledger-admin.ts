import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { limits } from "@/lib/config/limits";
import { withRedis } from "@/lib/server/redis/client";
import type { LedgerPolicy } from "./ledger";
import { adminReplies, type LimitChange, type Order } from "./ledger-replies";
import { adminScripts } from "./ledger-scripts";
import { createScriptRunner, keyPrefix } from "./script-runner";

/** Maximum orders that one script reads, because a running script blocks Redis. */
const maxOrders = 500;
const maxChanges = 1_000;

export type LedgerAdmin = ReturnType<typeof createLedgerAdmin>;

/** Creates functions for operators. Times are in milliseconds. All functions throw `service_unavailable`. */
export function createLedgerAdmin(redis: Redis, policy: Pick<LedgerPolicy, "dailyLikeLimit">) {
  const { dailyLikeLimit } = policy;
  const run = createScriptRunner(redis, "ledger admin", adminScripts, adminReplies);

  /** Returns today's usage, and the number and oldest creation time of open orders (of the 500 due first). */
  function overview() {
    return run("overview", { dailyLikeLimit, maxOrders });
  }

  /** Returns the order with this reference, or null. */
  async function find(reference: string): Promise<Order | null> {
    return (await run("readOrders", { ids: [reference] })).orders[0] ?? null;
  }

  /** Returns up to 500 open orders, in the order in which they are due. */
  async function listOpen(): Promise<Order[]> {
    return (await run("readOrders", { maxOrders })).orders;
  }

  /** Yields every accepted order whose record still exists, once each, in no particular order. */
  async function* listAccepted(): AsyncGenerator<Order> {
    const seen = new Set<string>();
    const orderPrefix = `${keyPrefix}order:`;
    let cursor = "0";
    do {
      const [next, keys] = await withRedis("ledger admin scan", () =>
        redis.scan(cursor, { match: `${orderPrefix}*`, count: maxOrders }),
      );
      cursor = String(next);
      // SCAN may return a key twice.
      const ids = keys.map((key) => key.slice(orderPrefix.length)).filter((id) => !seen.has(id));
      for (const id of ids) seen.add(id);
      if (ids.length === 0) continue;
      const { orders } = await run("readOrders", { ids });
      yield* orders.filter(({ state }) => state === "accepted");
    } while (cursor !== "0");
  }

  /**
   * Changes the limit in likes for the rest of this GMT day; null restores the configured limit. Stores the
   * change for 30 days. Throws a RangeError unless the limit is an integer and covers one request.
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
      maxChanges,
    });
    return change;
  }

  /** Returns the limit changes of the last 30 days, oldest first. */
  async function limitChanges(): Promise<LimitChange[]> {
    return (await run("limitChanges", {})).changes;
  }

  return { overview, find, listOpen, listAccepted, changeLimit, limitChanges };
}
