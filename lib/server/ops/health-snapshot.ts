import "server-only";
import { getInbox } from "@/lib/server/inbox";
import { getLedgerAdmin } from "@/lib/server/likes";
import { getRedis } from "@/lib/server/redis/client";
import { probeWriting, readRedisState } from "@/lib/server/redis/probe";

/**
 * How the site stands, as only Redis knows, whatever process is asked: what Redis says of itself and how long it took to
 * write a key, the orders without a final outcome (those being delivered right now among them), today's budget in likes,
 * and the messages that wait to be mailed. Rejects with `service_unavailable` where Redis takes no writes.
 */
export async function readHealthSnapshot() {
  const startedAt = performance.now();
  await probeWriting(getRedis());
  const latencyMs = Math.round(performance.now() - startedAt);
  const { now, likesUsed, totalLimit, open, oldestAt } = await getLedgerAdmin().overview();
  return {
    redis: { latencyMs, ...(await readRedisState(getRedis())) },
    orders: {
      open,
      oldestAgeSeconds: oldestAt === null ? null : Math.floor((now - oldestAt) / 1_000),
    },
    budget: { likesUsed, likesLeft: Math.max(0, totalLimit - likesUsed), totalLimit },
    inbox: { unmailed: await getInbox().countUnmailed() },
  };
}
