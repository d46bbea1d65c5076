import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import { withRedis } from "@/lib/server/redis/client";
import type { LedgerPolicy } from "./ledger";
import { limitChangeSchema, type LimitChange, type Order } from "./ledger-replies";
import { ledgerScripts } from "./ledger-scripts";
import { blockedKey, createScriptRunner, keyPrefix } from "./script-runner";

/** Maximum number of orders that one script reads. A running script blocks all other Redis clients. */
const maxOrders = 500;
const maxChanges = 1_000;

export type LedgerAdmin = ReturnType<typeof createLedgerAdmin>;

/**
 * Creates the ledger functions for operators. The functions throw `service_unavailable` when Redis fails. Tests pass
 * `scripts` with another clock.
 */
export function createLedgerAdmin(
  redis: Redis,
  { dailyLikeLimit }: Pick<LedgerPolicy, "dailyLikeLimit">,
  scripts = ledgerScripts,
) {
  const run = createScriptRunner(redis, "ledger admin", scripts);

  /**
   * Returns today's usage, the number of open orders, and the creation time of the oldest open order. If more
   * than 500 orders are open, `oldestAt` considers only the 500 orders that are due first.
   */
  function overview() {
    return run("overview", { dailyLikeLimit, maxOrders });
  }

  /** Returns the order with this reference, which is the order id. Returns null if no such order exists. */
  async function find(reference: string): Promise<Order | null> {
    return (await run("findOrders", { ids: [reference] })).orders[0] ?? null;
  }

  /** Returns up to 500 open orders, sorted by the time of their next delivery attempt. */
  async function listOpen(): Promise<Order[]> {
    return (await run("findOrders", { maxOrders })).orders;
  }

  /** Yields the names of the keys of a kind, in parts that are not empty, and yields no name twice. */
  async function* scan(kind: "order" | "blocked"): AsyncGenerator<string[]> {
    const seen = new Set<string>();
    const prefix = `${keyPrefix}${kind}:`;
    let cursor = "0";
    do {
      const [next, keys] = await withRedis("ledger admin scan", () =>
        redis.scan(cursor, { match: `${prefix}*`, count: maxOrders }),
      );
      cursor = String(next);
      // SCAN may return a key twice.
      const names = keys.map((key) => key.slice(prefix.length)).filter((name) => !seen.has(name));
      for (const name of names) seen.add(name);
      if (names.length > 0) yield names;
    } while (cursor !== "0");
  }

  /** Yields each accepted order that Redis still stores, and yields no order twice. The orders are not sorted. */
  async function* listAccepted(): AsyncGenerator<Order> {
    for await (const ids of scan("order")) {
      const { orders } = await run("findOrders", { ids });
      yield* orders.filter(({ state }) => state === "accepted");
    }
  }

  /** Blocks a post, which then gets no likes, or ends the block. Returns false if this changes nothing. */
  function setBlocked(postId: string, blocked: boolean): Promise<boolean> {
    const key = blockedKey(postId);
    return withRedis("ledger admin block", async () =>
      blocked ? (await redis.set(key, Date.now(), { nx: true })) !== null : (await redis.del(key)) > 0,
    );
  }

  /** Returns the codes of all blocked posts, sorted. */
  async function listBlocked(): Promise<string[]> {
    const codes: string[] = [];
    for await (const names of scan("blocked")) codes.push(...names);
    return codes.sort();
  }

  /**
   * Changes the daily limit (a whole number of likes) for the rest of this GMT day, and records the change. Null restores
   * the configured limit.
   */
  async function changeLimit(limit: number | null, reason?: string): Promise<LimitChange> {
    const { change } = await run("changeLimit", {
      dailyLikeLimit,
      limit: limit ?? undefined,
      reason,
      change: randomBytes(12).toString("hex"),
      maxChanges,
    });
    return change;
  }

  /** Returns up to 1,000 limit changes, oldest first. Redis deletes the list 30 days after the last change. */
  async function limitChanges(): Promise<LimitChange[]> {
    const changes = await withRedis("ledger admin limit changes", () =>
      redis.lrange(`${keyPrefix}limit-changes`, 0, -1),
    );
    return z.array(limitChangeSchema).parse(changes);
  }

  return { overview, find, listOpen, listAccepted, changeLimit, limitChanges, setBlocked, listBlocked };
}
