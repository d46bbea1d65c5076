import { pacing } from "@/lib/config/limits";
import { networkCap } from "@/lib/config/network-caps";
import type { LedgerPolicy, ReserveRequest } from "@/lib/server/likes/ledger";
import type { LimitChange, Order, VisitorStatus } from "@/lib/server/likes/ledger-replies";
import { deriveOrderId } from "@/lib/server/cookies/order-id";

/* A model of the ledger without Redis. It computes each reply from the list of orders. The scripts keep counts instead. */

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const likes = 50;
const month = 30 * dayMs;
/** The longest lives of keys, by the first part of their names. A claim lives as long as a lease. */
export const lives: Record<string, number> = {
  ...{ order: month, pending: month, "limit-changes": month, claim: 5_000, visitor: 2 * dayMs },
  ...{ address: dayMs, network: dayMs, budget: 3 * dayMs, returning: 3 * dayMs, limit: 3 * dayMs },
  // Has no end.
  blocked: 0,
};

type Visitor = ReserveRequest["visitor"];
export interface ModelOrder extends Omit<Order, "readAt"> {
  day: number;
  leaseUntil: number;
  /** Time from which an open order may be claimed. */
  dueAt: number;
  /** The order counts for the share of addresses that had an order. */
  returning: boolean;
  changedAt: number;
  /** The records that count this order: first the visitor's, then the address and its networks. */
  counts: { hash: string; until: number }[];
}
type Decision = { kind: string; waitUntil?: number; order?: ModelOrder };

export class LedgerModel {
  orders: ModelOrder[] = [];
  /** The open order of each visitor's hash, and until when the ledger finds it by this hash. */
  open = new Map<string, { id: string; until: number }>();
  /** Requests by visitor's hash and Idempotency-Key. */
  requests = new Map<string, { id: string; postId: string; till: number }>();
  /** Address and window of each attempt that the rate limit let pass. */
  attempts = new Map<string, string>();
  changes: LimitChange[] = [];
  blocked = new Set<string>();
  /** Final states of orders by id, from the ledger's records. */
  final = new Map<string, string>();
  /** Number of orders that the last reserve or claim abandoned. */
  abandoned = 0;

  constructor(
    readonly policy: LedgerPolicy,
    public now: number,
  ) {}

  wait(ms: number): void {
    this.now += ms;
    this.orders = this.orders.filter(({ changedAt }) => changedAt + month > this.now);
    if ((this.changes.at(-1)?.at ?? this.now) + month <= this.now) this.changes = [];
  }

  order(id: string): ModelOrder | undefined {
    return this.orders.find((order) => order.id === id);
  }

  usage() {
    const last = this.changes.at(-1);
    const totalLimit = last?.day === this.#day ? last.after : this.policy.dailyLikeLimit;
    return { likesUsed: this.#charged().length * likes, totalLimit, resetsAt: (this.#day + 1) * dayMs };
  }

  status({ visitorHashes, addressHashes, networks, cookieOrderId }: Visitor): Omit<VisitorStatus, "now"> {
    const { maxRequestsPerDay, maxRequestsPerAddressPerDay } = this.policy;
    const isOwn = (each: ModelOrder) => each.id === cookieOrderId || visitorHashes.includes(each.visitor);
    const own = this.orders.filter(isOwn);
    const cooldownUntil = Math.max(...own.map((each) => each.cooldownUntil ?? 0), 0);
    const caps = networks.map(({ kind, hashes }) => this.#capUntil(hashes, networkCap(kind, this.policy)));
    const addressCap = this.#capUntil(addressHashes, maxRequestsPerAddressPerDay);
    return {
      cooldownUntil: cooldownUntil > this.now ? cooldownUntil : null,
      dailyCapUntil: this.#capUntil(visitorHashes, maxRequestsPerDay),
      addressCapUntil: Math.max(...[addressCap, ...caps].map((until) => until ?? 0)) || null,
      pacedUntil: this.#pacedUntil(addressHashes),
      pending: this.#openOrder(visitorHashes) !== undefined,
    };
  }

  reserve(request: ReserveRequest, attempt: string): Decision {
    this.abandoned = 0;
    const { visitor, flowId, postId, postType, requestKey } = request;
    const [hash, address] = [visitor.visitorHashes[0]!, visitor.addressHashes[0]!];
    const ids = [0, 1, 2].map((n) => deriveOrderId(flowId, n));
    const ofFlow = ids.flatMap((id) => this.order(id) ?? []);
    const flowOrder = ofFlow.findLast((each) => each.state === "accepted" || isOpen(each));
    const open = this.#openOrder(visitor.visitorHashes) ?? flowOrder;
    const stored = visitor.visitorHashes
      .map((each) => this.requests.get(`${each} ${requestKey}`))
      .find((each) => each && each.till > this.now);
    const known = stored ? this.order(stored.id)! : open;
    // The client repeats a command after a lost reply. The first run may have given this attempt a lease.
    if (known && isOpen(known) && known.attempt === attempt) return { kind: "leased", order: known };

    const till = (Math.floor(this.now / 60_000) + 1) * 60_000;
    const window = `${address} ${till}`;
    const others = [...this.attempts].filter(([id, each]) => id !== attempt && each === window);
    if (others.length >= this.policy.rateLimit.requests) return { kind: "rate_limited", waitUntil: till };
    this.attempts.set(attempt, window);

    if (stored && stored.postId !== postId) return { kind: "key_reused" };
    if (known) this.#abandonIfOverdue(known);
    if (stored) return this.#resume(known!, attempt);
    const { cooldownUntil, dailyCapUntil, addressCapUntil, pacedUntil } = this.status(visitor);
    if (cooldownUntil) return { kind: "cooldown", waitUntil: cooldownUntil };
    const remember = (id: string) => {
      const entry = { id, postId, till: this.now + dayMs };
      if (requestKey !== null) this.requests.set(`${hash} ${requestKey}`, entry);
      this.#touch(hash);
    };
    if (open && isOpen(open)) {
      if (open.postId !== postId) return { kind: "other_pending" };
      remember(open.id);
      return this.#resume(open, attempt);
    }
    if (flowOrder?.state === "accepted" && flowOrder.postId === postId)
      return this.#resume(flowOrder, attempt);
    const id = ids.find((each) => !this.order(each));
    if (!id || (flowOrder && flowOrder.state !== "abandoned")) return { kind: "flow_used" };
    if (this.blocked.has(postId)) return { kind: "post_blocked" };
    if (dailyCapUntil) return { kind: "daily_cap", waitUntil: dailyCapUntil };
    if (addressCapUntil) return { kind: "address_cap", waitUntil: addressCapUntil };
    const { likesUsed, totalLimit, resetsAt } = this.usage();
    if (likesUsed + likes > totalLimit) return { kind: "daily_limit", waitUntil: resetsAt };
    if (pacedUntil) return { kind: "paced", waitUntil: pacedUntil };

    const counts = [hash, address].map((each) => ({ hash: each, until: this.now + dayMs }));
    const hourEnd = Math.floor(this.now / hourMs) * hourMs + dayMs;
    for (const { hashes } of visitor.networks) counts.push({ hash: hashes[0]!, until: hourEnd });
    const leaseUntil = this.now + this.policy.leaseMs;
    const order: ModelOrder = {
      ...{ id, state: "reserved", postId, postType, likes, visitor: hash, attempt, tries: 1, counts },
      ...{ closedAt: null, cooldownUntil: null, message: null, providerReference: null },
      ...{ createdAt: this.now, changedAt: this.now, leaseUntil, dueAt: leaseUntil, day: this.#day },
      returning: this.policy.pacing && this.#capUntil(visitor.addressHashes, 1) !== null,
    };
    this.orders.push(order);
    this.open.set(hash, { id, until: Infinity });
    remember(id);
    return { kind: "leased", order };
  }

  /** Ends a delivery attempt. Only the holder of the lease may refuse or defer an order. */
  finish(verb: "settle" | "refuse" | "defer", { id, attempt }: Order, reference: string | null): ModelOrder {
    const order = this.order(id)!;
    if (!isOpen(order) || (verb !== "settle" && order.attempt !== attempt)) return order;
    if (verb === "refuse") return this.#close(order, { state: "refused", message: "No." });
    if (verb === "defer") return this.#wait(order, this.now, { state: "pending", leaseUntil: 0 });
    const cooldownUntil = this.now + this.policy.cooldownSeconds * 1_000;
    return this.#close(order, { state: "accepted", cooldownUntil, providerReference: reference });
  }

  claim(attempt: string, upTo = this.now): ModelOrder | null {
    this.abandoned = 0;
    const due = this.orders.filter((each) => isOpen(each) && each.dueAt <= upTo);
    for (const order of due.sort((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1)))
      if (!this.#abandonIfOverdue(order) && order.leaseUntil <= this.now) return this.#lease(order, attempt);
    return null;
  }

  changeLimit(limit: number | null, reason: string): void {
    const [before, after] = [this.usage().totalLimit, limit ?? this.policy.dailyLikeLimit];
    this.changes.push({ at: this.now, day: this.#day, before, after, reason });
  }

  /** Returns whether reconcile abandons this order. */
  isOverdue(order: ModelOrder): boolean {
    const isLate = order.createdAt + dayMs <= this.now || this.blocked.has(order.postId);
    return isOpen(order) && isLate && order.leaseUntil <= this.now;
  }

  get #day() {
    return Math.floor(this.now / dayMs);
  }

  #charged(): ModelOrder[] {
    return this.orders.filter(({ day, state }) => day === this.#day && state !== "refused");
  }

  #openOrder(visitorHashes: readonly string[]): ModelOrder | undefined {
    const found = visitorHashes.flatMap((hash) => this.open.get(hash) ?? []);
    return this.order(found.find(({ until }) => until > this.now)?.id ?? "");
  }

  /** Each write of a visitor's record renews its life. */
  #touch(hash: string): void {
    const open = this.open.get(hash);
    if (open && open.until > this.now) open.until = this.now + lives.visitor!;
  }

  /** Returns when the oldest order stops counting if the orders reach a cap. Otherwise returns null. */
  #capUntil(hashes: readonly string[], cap: number): number | null {
    const counts = this.orders.flatMap((order) => order.counts).filter(({ hash }) => hashes.includes(hash));
    const ends = counts.map(({ until }) => until).filter((until) => until > this.now);
    return ends.length >= cap ? Math.min(...ends) : null;
  }

  /** Returns the first second of the day in which the pace has room for the order, or null if it has room now. */
  #pacedUntil(addressHashes: readonly string[]): number | null {
    const { likesUsed, totalLimit, resetsAt } = this.usage();
    if (!this.policy.pacing || likesUsed + likes > totalLimit) return null;
    const isReturning = this.#capUntil(addressHashes, 1) !== null;
    const returningUsed = this.#charged().filter(({ returning }) => returning).length * likes;
    const hasRoom = (second: number) => {
      // The pace in seconds and percent, because fractions would be rounded.
      const pace = Math.min(8_640_000, 86_400 * pacing.start + pacing.slope * second) * totalLimit;
      const share = isReturning ? pace * pacing.returningShare : Infinity;
      return (likesUsed + likes) * 8_640_000 <= pace && (returningUsed + likes) * 864_000_000 <= share;
    };
    let second = 0;
    for (let step = 65_536; step >= 1; step /= 2) if (!hasRoom(second + step - 1)) second += step;
    const pacedUntil = resetsAt - dayMs + Math.min(second, 86_400) * 1_000;
    return pacedUntil > this.now ? pacedUntil : null;
  }

  #resume(order: ModelOrder, attempt: string): Decision {
    if (!isOpen(order)) return { kind: order.state, order };
    if (order.leaseUntil > this.now) return { kind: "in_progress", waitUntil: order.leaseUntil };
    return { kind: "leased", order: this.#lease(order, attempt) };
  }

  #lease(order: ModelOrder, attempt: string): ModelOrder {
    const leaseUntil = this.now + this.policy.leaseMs;
    return this.#wait(order, leaseUntil, { state: "pending", attempt, leaseUntil, tries: order.tries + 1 });
  }

  #abandonIfOverdue(order: ModelOrder): boolean {
    if (!this.isOverdue(order)) return false;
    this.abandoned += 1;
    this.#close(order, { state: "abandoned" });
    return true;
  }

  #close(order: ModelOrder, change: Partial<ModelOrder>): ModelOrder {
    if (this.open.get(order.visitor)?.id === order.id) this.open.delete(order.visitor);
    this.#touch(order.visitor);
    order.counts[0]!.until = change.state === "accepted" ? this.now + dayMs : 0;
    return Object.assign(order, change, { changedAt: this.now, closedAt: this.now });
  }

  #wait(order: ModelOrder, dueAt: number, change: Partial<ModelOrder>): ModelOrder {
    return Object.assign(order, change, { dueAt, changedAt: this.now });
  }
}

/** Returns whether the result of the order is not known yet. */
export function isOpen({ state }: Pick<Order, "state">): boolean {
  return state === "reserved" || state === "pending";
}
