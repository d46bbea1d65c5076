import "server-only";
import { getInbox } from "@/lib/server/inbox";
import { getLedgerAdmin } from "@/lib/server/likes";
import { getRedis } from "@/lib/server/redis/client";
import { probeWrite, readRedisState } from "@/lib/server/redis/probe";

/** Reads the state of Redis, orders, budget and inbox. Throws `service_unavailable` if Redis fails. */
export async function readHealthSnapshot() {
  const startedAt = performance.now();
  await probeWrite(getRedis());
  const latencyMs = Math.round(performance.now() - startedAt);
  const { now, likesUsed, totalLimit, open, oldestAt } = await getLedgerAdmin().overview();
  return {
    redis: { latencyMs, ...(await readRedisState(getRedis())) },
    orders: { open, oldestAgeSeconds: oldestAt === null ? null : Math.floor((now - oldestAt) / 1_000) },
    budget: { likesUsed, likesLeft: Math.max(0, totalLimit - likesUsed), totalLimit },
    inbox: { unmailed: await getInbox().countUnmailed() },
  };
}
