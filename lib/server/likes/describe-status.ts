import "server-only";
import type { StatusReply, WaitReason } from "@/lib/schemas/api-responses";
import { splitTime } from "@/lib/time/countdown";
import type { VisitorStatus } from "./ledger-replies";

/**
 * Builds the response of the status endpoint. Of several limits, it contains the one that ends last. It contains the pace
 * of the day only if no limit blocks the visitor.
 */
export function describeStatus(status: VisitorStatus): StatusReply {
  const waits: { reason: WaitReason; until: number | null }[] = [
    { reason: "cooldown", until: status.cooldownUntil },
    { reason: "daily_cap", until: status.dailyCapUntil },
    { reason: "address_cap", until: status.addressCapUntil },
  ];
  // An open order counts towards the caps. The visitor may still repeat the request to complete this order.
  const canResume = status.pending && status.cooldownUntil === null;
  const [last] = waits.sort((a, b) => (b.until ?? 0) - (a.until ?? 0));
  const paced = { reason: "paced" as const, until: status.pacedUntil };
  const longest = canResume ? undefined : last?.until ? last : paced;
  const until = longest?.until ?? null;
  return {
    canRequest: until === null,
    nextAvailable: until === null ? null : new Date(until).toISOString(),
    timeLeft: splitTime(until === null ? 0 : until - status.now),
    serverTime: new Date(status.now).toISOString(),
    reason: until === null ? null : (longest?.reason ?? null),
    pending: status.pending,
  };
}
