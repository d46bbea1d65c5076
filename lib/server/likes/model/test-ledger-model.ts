import type { LedgerPolicy } from "../ledger";

/*
 * A model of the ledger: plain data and no Redis. It keeps the same records as the scripts in ledger-scripts.ts, so that the
 * tests can compare every reply and every record.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const likes = 50;
const life = { order: 30 * dayMs, openOrder: dayMs, requestKey: dayMs, budget: 3 * dayMs };

type Times = Record<string, number>;
interface Subject {
  cooldownUntil?: number;
  order?: string;
  orders: Times;
  requests: Record<string, { order: string; body: string; till: number }>;
  lost: Times;
  windowEnd?: number;
  attempts?: number;
}
interface Network {
  hours: Times;
  lost: Times;
}
export interface OrderRecord {
  id: string;
  state: "reserved" | "pending" | "accepted" | "refused" | "abandoned";
  postId: string;
  postType: string;
  likes: number;
  visitor: string;
  address: string;
  networks: string[];
  flow: string;
  day: number;
  createdAt: number;
  attempt: string;
  leaseUntil: number;
  tries: number;
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
  readonly entries = new Map<string, Entry>();
  readonly policy: LedgerPolicy;
  now: number;
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
    const [visitorKey, addressKey] = [`visitor:${request.visitors[0]}`, `address:${request.addresses[0]}`];
    const { cooldownUntil, openId } = this.#visitor(request);
    // The client repeats a command after a lost reply. The first run may have given this attempt a lease.
    const leased = [...request.orderIds, openId ?? ""].flatMap((id) => this.order(id) ?? []);
    const repeated = leased.find((order) => isOpen(order) && order.attempt === request.attempt);
    if (repeated) return { kind: "leased", order: repeated };

    const windowMs = this.policy.rateLimit.windowSeconds * 1_000;
    const windowEnd = (Math.floor(this.now / windowMs) + 1) * windowMs;
    const address = this.#subject(addressKey);
    if (address.windowEnd !== windowEnd) Object.assign(address, { windowEnd, attempts: 0 });
    address.attempts = (address.attempts ?? 0) + 1;
    this.#saveSubject(addressKey, address);
    if (address.attempts > this.policy.rateLimit.requests)
      return { kind: "rate_limited", waitUntil: windowEnd };

    for (const hash of request.requestKey ? request.visitors : []) {
      const stored = this.#subject(`visitor:${hash}`).requests[request.requestKey!];
      if (!stored || stored.till <= this.now) continue;
      if (stored.body !== request.bodyHash) return { kind: "key_reused" };
      if (this.order(stored.order))
        return this.#resume(this.#abandonIfOverdue(stored.order), request.attempt);
    }
    if (cooldownUntil) return { kind: "cooldown", waitUntil: cooldownUntil };

    const ownOrders = request.orderIds.flatMap((id) => this.order(id) ?? []);
    const active = ownOrders.filter(
      ({ flow, state }) => flow === request.flow && (state === "accepted" || isOpen({ state })),
    );
    let flowOrder = active.at(-1);
    const found = (openId && this.order(openId)) || flowOrder;
    if (found && isOpen(found)) {
      const current = this.#abandonIfOverdue(found.id);
      if (isOpen(current)) {
        if (current.postId !== request.postId) return { kind: "other_pending" };
        this.#remember(visitorKey, request, current.id);
        return this.#resume(current, request.attempt);
      }
      if (flowOrder?.id === current.id) flowOrder = undefined;
    }
    const freeId = request.orderIds.find((id) => !this.order(id));
    if (flowOrder || !freeId) return { kind: "flow_used" };

    const limits = this.#limits(request);
    if (limits.dailyCapUntil) return { kind: "daily_cap", waitUntil: limits.dailyCapUntil };
    if (limits.addressCapUntil) return { kind: "address_cap", waitUntil: limits.addressCapUntil };
    const { likesUsed, totalLimit, resetsAt } = this.usage();
    if (likesUsed + likes > totalLimit) return { kind: "daily_limit", waitUntil: resetsAt };

    const budgetKey = `budget:${this.day}`;
    // The first order of a day starts the life of the budget. So does an order after all others were refused.
    const expiresAt = likesUsed === 0 ? this.now + life.budget : this.entries.get(budgetKey)!.expiresAt;
    this.entries.set(budgetKey, { value: likesUsed + likes, expiresAt });
    const order: OrderRecord = {
      ...{ id: freeId, state: "reserved", postId: request.postId, postType: "post", likes },
      ...{ visitor: request.visitors[0]!, address: request.addresses[0]! },
      networks: request.networks.map(({ hashes }) => hashes[0]!),
      ...{ flow: request.flow, day: this.day, createdAt: this.now },
      ...{ attempt: request.attempt, leaseUntil: this.now + this.policy.leaseMs, tries: 1 },
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
    for (const hash of order.networks) this.#count(hash, { hours: [this.now, 1] });
    this.#setPending(order.id, order.leaseUntil);
    return { kind: "leased", order };
  }

  settle(id: string, cooldownMs: number, providerReference?: string): OrderRecord | undefined {
    const order = this.order(id);
    if (!order || !isOpen(order)) return order;
    const cooldownUntil = this.now + cooldownMs;
    Object.assign(order, { state: "accepted", closedAt: this.now, cooldownUntil, providerReference });
    this.#saveOrder(order);
    const key = `visitor:${order.visitor}`;
    const visitor = this.#subject(key);
    visitor.cooldownUntil = cooldownUntil;
    if (visitor.order === id) delete visitor.order;
    visitor.orders[id] = this.now;
    this.#saveSubject(key, visitor);
    this.#setPending(id, null);
    return order;
  }

  release(id: string, attempt: string, message: string): OrderRecord | undefined {
    const order = this.order(id);
    if (!order || !isOpen(order) || order.attempt !== attempt) return order;
    this.#detach(order);
    const budget = this.entries.get(`budget:${order.day}`);
    if (budget) budget.value = (budget.value as number) - likes;
    return this.#saveOrder({ ...order, state: "refused", closedAt: this.now, message });
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
      [...changes, { id, at: this.now, day: this.day, before, after, reason }],
      life.order,
    );
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
    return { orders: {}, requests: {}, lost: {}, ...this.#get<Partial<Subject>>(key) };
  }

  #saveSubject(key: string, subject: Subject): void {
    subject.orders = keep(subject.orders, (at) => at + dayMs > this.now);
    subject.requests = keep(subject.requests, ({ till }) => till > this.now);
    subject.lost = keep(subject.lost, (_, hour) => hourEnd(hour) > this.now);
    this.#saveUntil(key, subject, [
      ...[subject.cooldownUntil ?? 0, subject.windowEnd ?? 0],
      subject.order ? this.now + life.openOrder + dayMs : 0,
      ...Object.values(subject.orders).map((at) => at + dayMs),
      ...Object.values(subject.requests).map(({ till }) => till),
      ...Object.keys(subject.lost).map(hourEnd),
    ]);
  }

  #saveUntil(key: string, value: unknown, ends: number[]): void {
    const end = Math.max(0, ...ends);
    if (end > this.now) this.#set(key, value, end - this.now);
    else this.entries.delete(key);
  }

  #count(hash: string, { hours, lost }: { hours?: [at: number, by: number]; lost?: boolean }): void {
    const network = { hours: {}, lost: {}, ...this.#get<Partial<Network>>(`network:${hash}`) };
    if (hours) network.hours = add(network.hours, ...hours);
    if (lost) network.lost = add(network.lost, this.now, 1);
    network.hours = keep(network.hours, (_, hour) => hourEnd(hour) > this.now);
    network.lost = keep(network.lost, (_, hour) => hourEnd(hour) > this.now);
    this.#saveUntil(
      `network:${hash}`,
      network,
      [network.hours, network.lost].flatMap((each) => Object.keys(each).map(hourEnd)),
    );
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

  #limits({ visitors, addresses, networks }: Person) {
    const { maxRequestsPerDay, maxRequestsPerAddressPerDay: addressMax } = this.policy;
    const subjectsOf = (kind: string, hashes: readonly string[]) =>
      hashes.map((hash) => this.#subject(`${kind}:${hash}`));
    const ordersEnd = (subjects: Subject[], max: number) =>
      capEnd(
        subjects.flatMap(({ orders }) => Object.values(orders).map((at) => [at + dayMs, 1] as const)),
        max,
        this.now,
      );
    const hoursEnd = (counts: Times[], max: number) =>
      capEnd(
        counts.flatMap((each) => Object.entries(each).map(([hour, n]) => [hourEnd(hour), n] as const)),
        max,
        this.now,
      );
    const own = subjectsOf("address", addresses);
    const ends = [
      ordersEnd(own, addressMax),
      hoursEnd(
        own.map(({ lost }) => lost),
        addressMax,
      ),
    ];
    for (const { hashes, cap } of networks) {
      const records = hashes.map((hash) => this.#get<Partial<Network>>(`network:${hash}`) ?? {});
      ends.push(
        hoursEnd(
          records.map(({ hours = {} }) => hours),
          cap,
        ),
        hoursEnd(
          records.map(({ lost = {} }) => lost),
          cap,
        ),
      );
    }
    const addressEnd = Math.max(...ends.map((end) => end ?? 0));
    return {
      dailyCapUntil: ordersEnd(subjectsOf("visitor", visitors), maxRequestsPerDay),
      addressCapUntil: addressEnd > 0 ? addressEnd : null,
    };
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
    if (!isOpen(order) || order.createdAt + life.openOrder > this.now || order.leaseUntil > this.now)
      return order;
    this.#detach(order);
    this.abandoned += 1;
    return this.#saveOrder({ ...order, state: "abandoned", closedAt: this.now });
  }

  #detach({ id, visitor, address, networks, createdAt }: OrderRecord): void {
    for (const key of [`visitor:${visitor}`, `address:${address}`]) {
      const subject = this.#subject(key);
      if (subject.order === id) delete subject.order;
      delete subject.orders[id];
      if (key.startsWith("address")) subject.lost = add(subject.lost, this.now, 1);
      this.#saveSubject(key, subject);
    }
    for (const hash of networks) this.#count(hash, { hours: [createdAt, -1], lost: true });
    this.#setPending(id, null);
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

function add(counts: Times, at: number, by: number): Times {
  const hour = String(Math.floor(at / hourMs));
  return keep({ ...counts, [hour]: (counts[hour] ?? 0) + by }, (count) => count > 0);
}

/** Returns when the oldest count expires if the counts reach a cap. Otherwise returns null. */
function capEnd(counts: (readonly [end: number, count: number])[], cap: number, now: number): number | null {
  const valid = counts.filter(([end]) => end > now);
  const sum = valid.reduce((total, [, count]) => total + count, 0);
  return sum >= cap ? Math.min(...valid.map(([end]) => end)) : null;
}
