import { pacing } from "@/lib/config/limits";
import type { LedgerPolicy } from "../ledger";

/*
 * A model of the ledger: plain data and no Redis. It keeps the same records as the scripts in ledger-scripts.ts, so that the
 * tests can compare every reply and every record.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const likes = 50;
const life = { order: 30 * dayMs, openOrder: dayMs, requestKey: dayMs, budget: 3 * dayMs };

/** Maximum number of orders that operators list, and of limit changes. The ledger has larger numbers. */
export const listMax = 2;

type Times = Record<string, number>;
export interface Subject {
  cooldownUntil?: number;
  order?: string;
  orders: Times;
  requests: Record<string, { order: string; body: string; till: number }>;
  hours: Times;
  recent: Times;
}
export interface OrderRecord {
  id: string;
  state: "reserved" | "pending" | "accepted" | "refused" | "abandoned";
  postId: string;
  postType: string;
  likes: number;
  visitor: string;
  flow: string;
  day: number;
  createdAt: number;
  attempt: string;
  leaseUntil: number;
  tries: number;
  /** The order counts for the share of addresses that had an order. */
  returning?: true;
  closedAt?: number;
  cooldownUntil?: number;
  providerReference?: string;
  message?: string;
}
export interface Person {
  /** Hashes by the newest secret first. */
  visitors: readonly string[];
  addresses: readonly string[];
  networks: { hashes: readonly string[]; cap: number }[];
  /** Id of the order in the rate-limit cookie. */
  cookie?: string;
}
export interface Reservation extends Person {
  orderIds: string[];
  flow: string;
  postId: string;
  requestKey?: string;
  bodyHash: string;
  attempt: string;
}
interface Entry {
  value: unknown;
  /** Undefined for a key without expiry. */
  expiresAt?: number;
}

export class LedgerModel {
  entries = new Map<string, Entry>();
  readonly policy: LedgerPolicy;
  now: number;
  /** Number of orders that the last command abandoned. */
  abandoned = 0;

  constructor(policy: LedgerPolicy, now: number) {
    this.policy = policy;
    this.now = now;
  }

  get day() {
    return Math.floor(this.now / dayMs);
  }

  /** Moves the clock. Returns the keys that have expired. */
  wait(ms: number): string[] {
    this.now += ms;
    const due = [...this.entries].filter(([, { expiresAt = Infinity }]) => expiresAt <= this.now);
    for (const [key] of due) this.entries.delete(key);
    return due.map(([key]) => key);
  }

  usage() {
    const totalLimit = this.#get<number>(`limit:${this.day}`) ?? this.policy.dailyLikeLimit;
    const likesUsed = this.#get<number>(`budget:${this.day}`) ?? 0;
    return { likesUsed, totalLimit, resetsAt: (this.day + 1) * dayMs };
  }

  reserve(request: Reservation): { kind: string; waitUntil?: number; order?: OrderRecord } {
    const visitorKey = `visitor:${request.visitors[0]}`;
    const addressKey = `address:${request.addresses[0]}`;
    const { cooldownUntil, openId } = this.#visitor(request);
    const ownOrders = request.orderIds.flatMap((id) => this.order(id) ?? []);
    const flowOrder = ownOrders.findLast(
      ({ flow, state }) => flow === request.flow && (state === "accepted" || isOpen({ state })),
    );
    const open = (openId && this.order(openId)) || flowOrder;
    const stored = (request.requestKey ? request.visitors : [])
      .map((hash) => this.#subject(`visitor:${hash}`).requests[request.requestKey!])
      .find((each) => each && each.till > this.now);
    const storedOrder = stored && this.order(stored.order);
    const known = storedOrder ?? open;
    // The client repeats a command after a lost reply. The first run may have given this attempt a lease.
    if (known && isOpen(known) && known.attempt === request.attempt) return { kind: "leased", order: known };

    const windowMs = this.policy.rateLimit.windowSeconds * 1_000;
    const windowEnd = (Math.floor(this.now / windowMs) + 1) * windowMs;
    const address = this.#subject(addressKey);
    const others = keep(address.recent, (till, id) => till === windowEnd && id !== request.attempt);
    const isLimited = Object.keys(others).length >= this.policy.rateLimit.requests;
    if (!isLimited) address.recent[request.attempt] = windowEnd;
    this.#saveSubject(addressKey, address);
    if (isLimited) return { kind: "rate_limited", waitUntil: windowEnd };

    if (stored && stored.body !== request.bodyHash) return { kind: "key_reused" };
    const current = known && this.#abandonIfOverdue(known.id);
    if (storedOrder) return this.#resume(current!, request.attempt);
    if (cooldownUntil) return { kind: "cooldown", waitUntil: cooldownUntil };
    if (current && isOpen(current)) {
      if (current.postId !== request.postId) return { kind: "other_pending" };
      this.#remember(visitorKey, request, current.id);
      return this.#resume(current, request.attempt);
    }
    if (flowOrder?.state === "accepted" && flowOrder.postId === request.postId)
      return this.#resume(flowOrder, request.attempt);
    const freeId = request.orderIds.find((id) => !this.order(id));
    const isFlowUsed = flowOrder && this.order(flowOrder.id)!.state !== "abandoned";
    if (isFlowUsed || !freeId) return { kind: "flow_used" };

    const limits = this.#limits(request);
    if (limits.dailyCapUntil) return { kind: "daily_cap", waitUntil: limits.dailyCapUntil };
    if (limits.addressCapUntil) return { kind: "address_cap", waitUntil: limits.addressCapUntil };
    const { likesUsed, totalLimit, resetsAt } = this.usage();
    if (likesUsed + likes > totalLimit) return { kind: "daily_limit", waitUntil: resetsAt };
    if (limits.pacedUntil) return { kind: "paced", waitUntil: limits.pacedUntil };

    const returning = this.policy.pacing && this.#isReturning(request);
    this.#charge(`budget:${this.day}`);
    if (returning) this.#charge(`returning:${this.day}`);
    const order: OrderRecord = {
      ...{ id: freeId, state: "reserved", postId: request.postId, postType: "post", likes },
      ...{ visitor: request.visitors[0]!, flow: request.flow, day: this.day, createdAt: this.now },
      ...{ attempt: request.attempt, leaseUntil: this.now + this.policy.leaseMs, tries: 1 },
      ...(returning && { returning }),
    };
    this.#saveOrder(order);
    const visitor = this.#subject(visitorKey);
    visitor.order = order.id;
    visitor.orders[order.id] = this.now;
    this.#saveSubject(visitorKey, visitor);
    this.#remember(visitorKey, request, order.id);
    const counted = this.#subject(addressKey);
    counted.orders[order.id] = this.now;
    this.#saveSubject(addressKey, counted);
    for (const { hashes } of request.networks) {
      const network = this.#subject(`network:${hashes[0]}`);
      const hour = String(Math.floor(this.now / hourMs));
      network.hours[hour] = (network.hours[hour] ?? 0) + 1;
      this.#saveSubject(`network:${hashes[0]}`, network);
    }
    this.#setPending(order.id, order.leaseUntil);
    return { kind: "leased", order };
  }

  settle(id: string, cooldownMs: number, providerReference?: string): OrderRecord | undefined {
    const order = this.order(id);
    if (!order || !isOpen(order)) return order;
    const cooldownUntil = this.now + cooldownMs;
    return this.#close({ ...order, state: "accepted", cooldownUntil, providerReference });
  }

  release(id: string, attempt: string, message: string): OrderRecord | undefined {
    const order = this.order(id);
    if (!order || !isOpen(order) || order.attempt !== attempt) return order;
    for (const total of order.returning ? ["budget", "returning"] : ["budget"]) {
      const entry = this.entries.get(`${total}:${order.day}`);
      if (entry) entry.value = (entry.value as number) - likes;
    }
    return this.#close({ ...order, state: "refused", message });
  }

  defer(id: string, attempt: string): OrderRecord | undefined {
    const order = this.order(id);
    if (!order || !isOpen(order) || order.attempt !== attempt) return order;
    this.#setPending(id, this.now, true);
    return this.#saveOrder({ ...order, state: "pending", leaseUntil: 0 });
  }

  claim(attempt: string, upTo = this.now): OrderRecord | undefined {
    const claimed = this.#get<string>(`claim:${attempt}`);
    const before = claimed === undefined ? undefined : this.order(claimed);
    if (before && isOpen(before) && before.attempt === attempt) return before;
    const due = this.pending().filter(([, at]) => at <= Math.min(upTo, this.now));
    if (due.length > 0) this.#renewPending();
    for (const [id] of due) {
      const order = this.order(id);
      if (!order || !isOpen(order)) this.#setPending(id, null);
      else if (isOpen(this.#abandonIfOverdue(id)) && order.leaseUntil <= this.now) {
        this.#set(`claim:${attempt}`, id, this.policy.leaseMs);
        return this.#lease(order, attempt);
      }
    }
    return undefined;
  }

  status(person: Person) {
    const { cooldownUntil = null, openId } = this.#visitor(person);
    return { cooldownUntil, ...this.#limits(person), pending: openId !== undefined };
  }

  changeLimit(id: string, limit: number | null, reason: string): void {
    const changes = this.#get<{ id: string }[]>("limit-changes") ?? [];
    if (changes.at(-1)?.id === id) return;
    const [before, after] = [this.usage().totalLimit, limit ?? this.policy.dailyLikeLimit];
    if (limit === null) this.entries.delete(`limit:${this.day}`);
    else this.#set(`limit:${this.day}`, limit, life.budget);
    this.#set(
      "limit-changes",
      [...changes, { id, at: this.now, day: this.day, before, after, reason }].slice(-listMax),
      life.order,
    );
  }

  /** Returns whether reconcile abandons this order. */
  isOverdue(order: OrderRecord): boolean {
    return isOpen(order) && order.createdAt + life.openOrder <= this.now && order.leaseUntil <= this.now;
  }

  /** Returns open orders by the time from which they may be claimed. */
  pending(): [id: string, at: number][] {
    const scores = Object.entries(this.#get<Times>("pending") ?? {});
    return scores.sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
  }

  order(id: string): OrderRecord | undefined {
    return this.#get<OrderRecord>(`order:${id}`);
  }

  #get<T>(key: string): T | undefined {
    return structuredClone(this.entries.get(key)?.value) as T | undefined;
  }

  #set(key: string, value: unknown, lifeMs: number): void {
    this.entries.set(key, { value: structuredClone(value), expiresAt: this.now + lifeMs });
  }

  #saveOrder(order: OrderRecord): OrderRecord {
    this.#set(`order:${order.id}`, order, life.order);
    return order;
  }

  #subject(key: string): Subject {
    return { orders: {}, requests: {}, hours: {}, recent: {}, ...this.#get<Partial<Subject>>(key) };
  }

  #saveSubject(key: string, subject: Subject): void {
    subject.orders = keep(subject.orders, (at) => at + dayMs > this.now);
    subject.requests = keep(subject.requests, ({ till }) => till > this.now);
    subject.hours = keep(subject.hours, (_, hour) => hourEnd(hour) > this.now);
    subject.recent = keep(subject.recent, (till) => till > this.now);
    const end = Math.max(
      subject.cooldownUntil ?? 0,
      ...Object.values(subject.recent),
      subject.order ? this.now + life.openOrder + dayMs : 0,
      ...Object.values(subject.orders).map((at) => at + dayMs),
      ...Object.values(subject.requests).map(({ till }) => till),
      ...Object.keys(subject.hours).map(hourEnd),
    );
    if (end > this.now) this.#set(key, subject, end - this.now);
    else this.entries.delete(key);
  }

  #remember(key: string, { requestKey, bodyHash }: Reservation, order: string): void {
    const visitor = this.#subject(key);
    if (requestKey)
      visitor.requests[requestKey] = { order, body: bodyHash, till: this.now + life.requestKey };
    this.#saveSubject(key, visitor);
  }

  #visitor({ visitors, cookie }: Person): { cooldownUntil?: number; openId?: string } {
    const subjects = visitors.map((hash) => this.#subject(`visitor:${hash}`));
    const fromCookie = cookie === undefined ? undefined : this.order(cookie);
    const ends = subjects.map(({ cooldownUntil = 0 }) => cooldownUntil);
    if (fromCookie?.state === "accepted") ends.push(fromCookie.cooldownUntil!);
    const end = Math.max(...ends);
    return {
      cooldownUntil: end > this.now ? end : undefined,
      openId: subjects.find(({ order }) => order)?.order,
    };
  }

  /** The first order of a day starts the life of a total. So does an order after all others were refused. */
  #charge(key: string): void {
    const { value, expiresAt } = this.entries.get(key) ?? { value: 0 };
    this.entries.set(key, {
      value: (value as number) + likes,
      expiresAt: value === 0 ? this.now + life.budget : expiresAt,
    });
  }

  #isReturning({ addresses }: Person): boolean {
    const orders = addresses.flatMap((hash) => Object.values(this.#subject(`address:${hash}`).orders));
    return orders.some((at) => at + dayMs > this.now);
  }

  /** Returns the first second of the day in which the pace has room for the order, or null if it has room now. */
  #pacedUntil(person: Person): number | null {
    const { likesUsed, totalLimit, resetsAt } = this.usage();
    if (!this.policy.pacing || likesUsed + likes > totalLimit) return null;
    const returningUsed = this.#get<number>(`returning:${this.day}`) ?? 0;
    const isReturning = this.#isReturning(person);
    const hasRoom = (second: number) => {
      // The pace in seconds and percent, because fractions would be rounded.
      const pace = Math.min(8_640_000, 86_400 * pacing.start + pacing.slope * second) * totalLimit;
      const share = isReturning ? pace * pacing.returningShare : Infinity;
      return (likesUsed + likes) * 8_640_000 <= pace && (returningUsed + likes) * 864_000_000 <= share;
    };
    let second = 0;
    while (second < 86_400 && !hasRoom(second)) second += 1;
    const pacedUntil = resetsAt - dayMs + second * 1_000;
    return pacedUntil > this.now ? pacedUntil : null;
  }

  #limits(person: Person) {
    const { visitors, addresses, networks } = person;
    const { maxRequestsPerDay, maxRequestsPerAddressPerDay } = this.policy;
    const capped = [
      { names: addresses.map((hash) => `address:${hash}`), cap: maxRequestsPerAddressPerDay },
      ...networks.map(({ hashes, cap }) => ({ names: hashes.map((hash) => `network:${hash}`), cap })),
    ];
    const ends = capped.map(({ names, cap }) => this.#capEnd(names, cap) ?? 0);
    const dailyCapUntil = this.#capEnd(
      visitors.map((hash) => `visitor:${hash}`),
      maxRequestsPerDay,
    );
    return {
      dailyCapUntil,
      addressCapUntil: Math.max(...ends) || null,
      pacedUntil: this.#pacedUntil(person),
    };
  }

  /** Returns when the oldest order stops counting if the orders reach a cap. Otherwise returns null. */
  #capEnd(names: string[], cap: number): number | null {
    const valid = names
      .map((name) => this.#subject(name))
      .flatMap(({ orders, hours }) => [
        ...Object.values(orders).map((at) => [at + dayMs, 1] as const),
        ...Object.entries(hours).map(([hour, count]) => [hourEnd(hour), count] as const),
      ])
      .filter(([end]) => end > this.now);
    const sum = valid.reduce((total, [, count]) => total + count, 0);
    return sum >= cap ? Math.min(...valid.map(([end]) => end)) : null;
  }

  #resume(order: OrderRecord, attempt: string): { kind: string; waitUntil?: number; order?: OrderRecord } {
    if (!isOpen(order)) return { kind: order.state, order };
    if (order.attempt === attempt) return { kind: "leased", order };
    if (order.leaseUntil > this.now) return { kind: "in_progress", waitUntil: order.leaseUntil };
    return { kind: "leased", order: this.#lease(order, attempt) };
  }

  #lease(order: OrderRecord, attempt: string): OrderRecord {
    const leaseUntil = this.now + this.policy.leaseMs;
    this.#setPending(order.id, leaseUntil, true);
    return this.#saveOrder({ ...order, state: "pending", attempt, leaseUntil, tries: order.tries + 1 });
  }

  #abandonIfOverdue(id: string): OrderRecord {
    const order = this.order(id)!;
    if (!this.isOverdue(order)) return order;
    this.abandoned += 1;
    return this.#close({ ...order, state: "abandoned" });
  }

  #close(order: OrderRecord): OrderRecord {
    const key = `visitor:${order.visitor}`;
    const visitor = this.#subject(key);
    if (visitor.order === order.id) delete visitor.order;
    delete visitor.orders[order.id];
    if (order.state === "accepted") {
      visitor.cooldownUntil = order.cooldownUntil;
      visitor.orders[order.id] = this.now;
    }
    this.#saveSubject(key, visitor);
    this.#setPending(order.id, null);
    return this.#saveOrder({ ...order, closedAt: this.now });
  }

  #setPending(id: string, at: number | null, renew = false): void {
    const scores = this.#get<Times>("pending") ?? {};
    if (at === null) delete scores[id];
    else scores[id] = at;
    if (Object.keys(scores).length === 0) this.entries.delete("pending");
    else this.entries.set("pending", { value: scores, expiresAt: this.entries.get("pending")?.expiresAt });
    if (renew) this.#renewPending();
  }

  #renewPending(): void {
    this.entries.get("pending")!.expiresAt = this.now + life.order;
  }
}

export function isOpen({ state }: Pick<OrderRecord, "state">): boolean {
  return state === "reserved" || state === "pending";
}

/** The count of an hour expires 24 hours after the start of the hour. */
function hourEnd(hour: string): number {
  return Number(hour) * hourMs + dayMs;
}

function keep<T>(record: Record<string, T>, test: (value: T, key: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key, value]) => test(value, key)));
}
