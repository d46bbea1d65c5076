import assert from "node:assert/strict";
import { Redis } from "@upstash/redis";
import fc from "fast-check";
import type { TestTransport } from "@/testing/test-transports";
import { createLedger, type LedgerPolicy, type ReserveRequest } from "@/lib/server/likes/ledger";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import type { Order } from "@/lib/server/likes/ledger-replies";
import { ledgerScripts } from "@/lib/server/likes/ledger-scripts";
import { keyPrefix } from "@/lib/server/likes/script-runner";
import { testClockKey, withTestClock } from "./test-orders";
import { dayMs, isOpen, LedgerModel, likes, lives, type ModelOrder } from "./ledger-model";

/** Short sequences reach these small limits. A home may place two orders in 24 hours, a provider four. */
const freePolicy: LedgerPolicy = {
  ...{ dailyLikeLimit: 2_500, maxRequestsPerDay: 2, maxRequestsPerAddressPerDay: 2, pacing: false },
  ...{ cooldownSeconds: 7_200, rateLimit: { requests: 6, windowSeconds: 60 }, leaseMs: 5_000, live: true },
};
/** A paced day of four orders: at first two, from 03:00 three. From 18:00 all, and one from addresses that had an order. */
const pacedPolicy = { ...freePolicy, dailyLikeLimit: 200, maxRequestsPerAddressPerDay: 4, pacing: true };
const cooldownMs = freePolicy.cooldownSeconds * 1_000;

const small = (max: number) => fc.nat({ max });
/** Index of an order, as one of the delivery attempts knew it. */
const handle = small(20);
/** The client sends a command again after a lost reply. */
const repeated = fc.boolean();
/** An order before a cooldown and `dayMs - cooldownMs` is exactly a day old. */
const waits = [1_000, 5_000, 60_000, 3_600_000, cooldownMs, dayMs - cooldownMs, dayMs, 2 * dayMs, 31 * dayMs];

const actions = {
  reserve: fc.record({
    ...{ visitor: small(2), address: small(2), flow: small(7), post: small(1) },
    ...{ requestKey: fc.option(small(1)), cookie: fc.option(handle), repeated },
    /** The outcome that follows at once. */
    outcome: fc.constantFrom(null, null, "settle" as const, "settle" as const, "refuse" as const),
  }),
  outcome: fc.record({
    verb: fc.constantFrom("settle" as const, "refuse" as const, "defer" as const),
    ...{ handle, reference: fc.boolean(), repeated },
  }),
  claim: fc.record({ beforeMs: fc.constantFrom(undefined, 0, 60_000), repeated }),
  changeLimit: fc.record({ limit: fc.constantFrom(null, 50, 100, 300), repeated }),
  block: fc.record({ post: small(1), blocked: fc.boolean(), repeated }),
  /** The operator adds a secret. Later requests also have the hashes of the earlier secret. */
  rotateSecrets: fc.constant({}),
  wait: fc.record({ ms: fc.constantFrom(...waits) }),
};
const weights = { reserve: 16, outcome: 8, claim: 3, changeLimit: 2, block: 2, rotateSecrets: 1, wait: 6 };
type Name = keyof typeof actions;
type Fields<N extends Name> = (typeof actions)[N] extends fc.Arbitrary<infer Value> ? Value : never;
export type Action = { [N in Name]: { name: N } & Fields<N> }[Name];
const action = fc.oneof(
  ...(Object.keys(actions) as Name[]).map((name) => ({
    weight: weights[name],
    arbitrary: actions[name].map((fields: object) => ({ name, ...fields }) as Action),
  })),
);

/** Performs random actions on the ledger and on its model. Throws fast-check's report, with `seed` and `path`. */
export function compareWithModel(transport: TestTransport, parameters: fc.Parameters<[boolean, Action[]]>) {
  const sequences = fc.array(action, { minLength: 1, maxLength: 24, size: "max" });
  const property = fc.asyncProperty(fc.boolean(), sequences, async (pacing, list) => {
    const run = await LedgerRun.begin(transport, pacing);
    await run.performAll(list);
    await run.finish();
  });
  return fc.assert(property, parameters);
}

/** Returns all keys with values and lives in milliseconds. Replies contain the list of limit changes. */
const dump = `
local records = {}
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local kind, value = redis.call('TYPE', key).ok, nil
  if kind == 'string' then value = redis.call('GET', key) end
  records[#records + 1] = { key = string.sub(key, #ARGV[1] + 1), value = value, life = redis.call('PTTL', key) }
end
return #records > 0 and cjson.encode(records) or '[]'`;

/** Shortens all lives. Rounds up to whole seconds, because some milliseconds of each life have passed in real time. */
const age = `
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local life = redis.call('PTTL', key)
  if life >= 0 then redis.call('PEXPIRE', key, math.ceil(life / 1000) * 1000 - ARGV[2]) end
end`;

/** One run on an empty ledger. Its methods throw when the ledger and the model disagree, or at a broken invariant. */
export class LedgerRun {
  readonly #model: LedgerModel;
  readonly #redis: Redis;
  readonly #ledger: ReturnType<typeof createLedger>;
  readonly #admin: ReturnType<typeof createLedgerAdmin>;
  /** Orders as the delivery attempts know them. */
  readonly #handles: Order[] = [];
  #repeat = false;
  #rotated = false;
  /** The last request, whose visitor sees the status. */
  #last: Partial<Extract<Action, { name: "reserve" }>> = {};
  private constructor(transport: TestTransport, policy: LedgerPolicy) {
    // Not a whole second, because the ledger counts milliseconds.
    const start = policy.pacing ? "2026-11-24T01:30:00.123Z" : "2026-11-24T21:30:00.123Z";
    this.#model = new LedgerModel(policy, Date.parse(start));
    this.#redis = new Redis({
      request: async (command) => {
        const first = await transport.requester.request(command);
        return (this.#repeat ? await transport.requester.request(command) : first) as never;
      },
    });
    const scripts = withTestClock(ledgerScripts);
    this.#ledger = createLedger(this.#redis, policy, scripts);
    this.#admin = createLedgerAdmin(this.#redis, policy, scripts);
  }

  /** Empties the Redis. */
  static async begin(transport: TestTransport, pacing = false): Promise<LedgerRun> {
    await transport.redis.flushall();
    const run = new LedgerRun(transport, pacing ? pacedPolicy : freePolicy);
    await run.#setClock();
    return run;
  }

  async performAll(list: readonly Action[]): Promise<void> {
    for (const each of list) {
      await this.#perform(each);
      await this.#check();
    }
  }

  /** A day later, reconcile closes or abandons every order. A month later, nothing is stored. */
  async finish(): Promise<void> {
    await this.#perform({ name: "wait", ms: dayMs + freePolicy.leaseMs });
    await this.performAll([{ name: "claim", beforeMs: undefined, repeated: false }]);
    assert(!this.#model.orders.some(isOpen), "an order is open after a day");
    for (const post of [0, 1]) await this.#perform({ name: "block", post, blocked: false, repeated: false });
    await this.#perform({ name: "wait", ms: 31 * dayMs });
    assert.deepEqual(await this.#records(), []);
  }

  async #setClock(): Promise<void> {
    this.#repeat = false;
    await this.#redis.set(testClockKey, this.#model.now);
    // The ledger learns the time of Redis from every reply, and rejects a reserve that is late by this time.
    agree(await this.#ledger.dailyUsage(), { now: this.#model.now, ...this.#model.usage() });
  }

  async #perform(action: Action): Promise<void> {
    const model = this.#model;
    this.#repeat = "repeated" in action && action.repeated;
    switch (action.name) {
      case "wait":
        model.wait(action.ms);
        await this.#redis.eval(age, [], [keyPrefix, action.ms]);
        return this.#setClock();
      case "rotateSecrets":
        return void (this.#rotated = true);
      case "reserve": {
        this.#last = action;
        const request = this.#request(action);
        const reply = await this.#ledger.reserve(request);
        const leased = reply.kind === "leased" ? reply.order : undefined;
        assert(!this.#handles.some((each) => each.attempt === leased?.attempt), "an attempt is known");
        // The orders of other replies have the attempt of an earlier request.
        const attempt = leased?.attempt ?? `attempt ${model.attempts.size}`;
        const first = model.reserve(request, attempt);
        const { kind, waitUntil, order } = this.#repeat ? model.reserve(request, attempt) : first;
        const waitSeconds = waitUntil && Math.max(1, Math.ceil((waitUntil - model.now) / 1_000));
        const ofOrder = order && { order: this.#reply(order), usage: model.usage() };
        const { now, abandoned } = model;
        agree(reply, { kind, now, abandoned, waitUntil, waitSeconds, ...ofOrder });
        if (!leased) return;
        this.#handles.push(leased);
        const { likesUsed, totalLimit } = model.usage();
        assert(leased.state !== "reserved" || likesUsed <= totalLimit, "the budget is exceeded");
        if (!action.outcome) return;
        const outcome = { name: "outcome", verb: action.outcome, reference: true, repeated: false } as const;
        return this.#perform({ ...outcome, handle: this.#handles.length - 1 });
      }
      case "claim": {
        const upTo = action.beforeMs === undefined ? undefined : model.now - action.beforeMs;
        const { order, abandoned } = await this.#ledger.claim(upTo);
        const expected = model.claim(order?.attempt ?? "none", upTo);
        agree(order, expected && this.#reply(expected));
        assert.equal(abandoned, this.#repeat ? 0 : model.abandoned);
        return void (order && this.#handles.push(order));
      }
      case "outcome": {
        const order = this.#handles[action.handle];
        const known = order && model.order(order.id);
        // No attempt takes a day. By then, reconcile has abandoned the order.
        if (!known || known.createdAt !== order.createdAt || model.isOverdue(known)) return;
        const text = action.verb === "refuse" ? "No." : action.reference ? "reference" : undefined;
        const reply = await this.#ledger[action.verb](order, text as string);
        return agree(reply, this.#reply(model.finish(action.verb, order, text ?? null)));
      }
      case "changeLimit":
        await this.#admin.changeLimit(action.limit, "test");
        model.changeLimit(action.limit, "test");
        return agree(await this.#admin.limitChanges(), model.changes);
      case "block": {
        const postId = `post${action.post}`;
        const changed = await this.#admin.setBlocked(postId, action.blocked);
        // A repeated command finds the change of the first.
        assert.equal(changed, !this.#repeat && model.blocked.has(postId) !== action.blocked);
        model.blocked[action.blocked ? "add" : "delete"](postId);
        return agree(await this.#admin.listBlocked(), [...model.blocked].sort());
      }
    }
  }

  /** Compares what the visitor of the last request sees, and checks the invariants of the records without the model. */
  async #check(): Promise<void> {
    this.#repeat = false;
    const { visitor } = this.#request(this.#last);
    const { now } = this.#model;
    agree(await this.#ledger.dailyUsage(), { now, ...this.#model.usage() });
    agree(await this.#ledger.status(visitor), { now, ...this.#model.status(visitor) });
    const records = await this.#records();
    const orders = records
      .filter(({ key }) => key.startsWith("order:"))
      .map(({ value }) => JSON.parse(value!) as StoredOrder);
    for (const { key, value, life } of records) {
      const [name, day] = key.split(":") as [string, string];
      assert(
        life <= lives[name]! && (life > 0 || lives[name] === 0 || name === "pending"),
        `${key} lives ${life} ms`,
      );
      if (name !== "budget" && name !== "returning") continue;
      const counts = (each: ModelOrder) => each.state !== "refused" && (name === "budget" || each.returning);
      const charged = orders.filter((each) => String(each.day) === day && counts(each));
      assert.equal(Number(value), charged.length * likes, `${key} is not the sum of its orders`);
    }
    for (const { id, state } of orders)
      assert.equal(state, this.#model.final.get(id) ?? state, "a final state has changed");
    const open = orders.filter(isOpen);
    this.#model.final = new Map(orders.filter((each) => !isOpen(each)).map(({ id, state }) => [id, state]));

    const person = ({ visitor }: ModelOrder) => visitor.split(" ")[0];
    const isUnique = (list: unknown[]) => new Set(list).size === list.length;
    const accepted = orders.filter(({ state }) => state === "accepted");
    const flows = [...accepted, ...open].map(({ flow }) => flow);
    assert(isUnique(flows), "an order that may be accepted has a second id");
    const recent = open.filter(({ createdAt }) => createdAt > now - dayMs);
    assert(isUnique(recent.map(person)), "a visitor has two open orders");
    for (const last of accepted) {
      const own = accepted.filter((each) => person(each) === person(last));
      const within = (ms: number) =>
        own.filter(({ closedAt: at }) => at! <= last.closedAt! && at! > last.closedAt! - ms).length;
      assert.equal(within(cooldownMs), 1, "a visitor has two accepted orders within a cooldown");
      assert(within(dayMs) <= freePolicy.maxRequestsPerDay, "a visitor has too many orders in a day");
    }
  }

  #records(): Promise<DumpedRecord[]> {
    return this.#redis.eval<string[], DumpedRecord[]>(dump, [], [keyPrefix]);
  }

  #reply(order: ModelOrder): Record<string, unknown> {
    const reply = Object.fromEntries(replyFields.map((field) => [field, order[field] ?? null]));
    return { ...reply, readAt: this.#model.now };
  }

  #request(over: Partial<Extract<Action, { name: "reserve" }>>): ReserveRequest {
    const { visitor, address, flow, post, requestKey = null, cookie = null } = over;
    const hashes = (name: string) => (this.#rotated ? [`${name} new`, name] : [name]);
    return {
      visitor: {
        visitorHashes: hashes(`v${visitor}`),
        addressHashes: hashes(`a${address}`),
        // Two addresses share a home, and all share a provider.
        networks: [
          { kind: "IPv6 /56", hashes: hashes(`home${Math.min(address ?? 0, 1)}`) },
          { kind: "IPv6 /48", hashes: hashes("provider") },
        ],
        cookieOrderId: cookie === null ? null : (this.#handles[cookie]?.id ?? "unknown"),
      },
      ...{ flowId: `flow${flow}`, postId: `post${post}`, postType: "post" },
      requestKey: requestKey === null ? null : `key${requestKey}`,
    };
  }
}

type StoredOrder = ModelOrder & { flow: string };
type DumpedRecord = { key: string; value?: string; life: number };
/** Fields of an order in replies. */
const replyFields = [
  ...["id", "state", "postId", "postType", "likes", "createdAt", "attempt", "visitor"],
  ...["closedAt", "cooldownUntil", "message", "providerReference", "tries"],
] as (keyof ModelOrder)[];

/** Throws if two values differ. Copies both, because structuredClone in Jest creates objects with other prototypes. */
function agree(actual: unknown, expected: unknown): void {
  const copy = (value: unknown) => JSON.parse(JSON.stringify(value ?? null)) as unknown;
  assert.deepEqual(copy(actual), copy(expected));
}
