import { readBooks, until } from "../support/bookkeeping";
import type { Shop } from "./shop";

/** What a fault has left behind. */
export interface Findings {
  requests: number;
  faults: number;
  /** Orders that the delivery service accepted. */
  accepted: number;
  /** Orders that one side calls accepted, or a visitor was told of, and the other side does not know. */
  lost: number;
  /** Acceptances beyond one a visitor and cooldown, and calls that overlapped another under their id. */
  doubled: number;
  /** Places in the budget that belong to no order, and reservations that nobody will finish. */
  leaked: number;
  /** Orders without an outcome after reconciling. */
  pending: number;
  /** Invariants that do not hold, in words. */
  broken: string[];
  /** What the numbers alone do not say. */
  note?: string;
}

interface Allowed {
  /** Orders that may be forgotten, because Redis lost writes that it had acknowledged. */
  forgotten?: number;
  /** Further expectations of a scenario; those that do not hold are broken. */
  expected?: Record<string, boolean>;
  note?: string;
}

/** Waits until the timers have finished every open order, and compares the books of ledger, receiver and visitors. */
export async function audit(
  shop: Shop,
  { forgotten = 0, expected = {}, note }: Allowed = {},
): Promise<Findings> {
  const isFinished = async () => (await shop.redis.zcard("{likes}:v2:pending")) === 0;
  await until("nothing is open", isFinished, 60_000).catch(() => undefined);

  const { figures, ids, orders } = await readBooks(shop.redis, shop.received);
  const inLedger = new Set(orders.map((order) => String(order?.id)));
  const toldIds = [...shop.told.values()].flatMap((references) => [...references]);
  const unknownToReceiver = [...ids.accepted, ...toldIds].filter((id) => !shop.received.ids.has(id));
  const unknownToLedger = [...shop.received.ids].filter((id) => !inLedger.has(id));
  const notAccepted = [...shop.received.ids].filter((id) => inLedger.has(id) && !ids.accepted.includes(id));
  const acceptedVisitors = orders
    .filter((order) => order?.state === "accepted")
    .map((order) => order?.visitor);
  const stuckVisitors = await visitorsHeldByNoOpenOrder(shop, ids.open);

  const doubledInLedger = acceptedVisitors.length - new Set(acceptedVisitors).size;
  const doubledInAnswers = toldIds.length - shop.told.size;
  const findings = {
    requests: shop.requests,
    faults: shop.faults,
    accepted: figures.receiverIds,
    lost: unknownToReceiver.length + unknownToLedger.length + notAccepted.length,
    doubled: Math.max(doubledInLedger, doubledInAnswers) + shop.received.overlaps,
    leaked:
      Math.abs(figures.budget / 50 - (figures.accepted + figures.open + figures.abandoned)) + stuckVisitors,
    pending: Math.max(figures.pending, figures.open),
  };
  const invariants: Record<string, boolean> = {
    "what a visitor was told, or the ledger calls accepted, was seen by the receiver":
      unknownToReceiver.length === 0,
    "what the receiver accepted is accepted in the ledger": notAccepted.length === 0,
    "no more is forgotten than Redis lost": unknownToLedger.length <= forgotten,
    "one acceptance a visitor and cooldown": findings.doubled <= forgotten,
    "accepted is within the day's limit":
      figures.accepted <= shop.places && figures.receiverIds <= shop.places + forgotten,
    "the budget is what is accepted or abandoned, and nobody is held by nothing": findings.leaked === 0,
    "nothing is pending": findings.pending === 0,
    ...expected,
  };
  const broken = Object.keys(invariants).filter((name) => !invariants[name]);
  return { ...findings, broken, ...(note !== undefined && { note }) };
}

/** Visitors whose record names an order that is not open: they would wait for nothing. */
async function visitorsHeldByNoOpenOrder({ redis }: Shop, openIds: readonly string[]): Promise<number> {
  const keys = await redis.keys("{likes}:v2:visitor:*");
  const held = await Promise.all(keys.map((key) => redis.get<{ order?: string }>(key)));
  return held.filter((visitor) => visitor?.order && !openIds.includes(visitor.order)).length;
}
