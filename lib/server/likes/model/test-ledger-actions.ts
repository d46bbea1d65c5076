import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Redis, type Requester } from "@upstash/redis";
import fc from "fast-check";
import type { TestTransport } from "@/e2e/support/test-transports";
import { until } from "@/e2e/support/until";
import { networkCap } from "@/lib/config/network-caps";
import { createLedger, type LedgerPolicy, type ReserveRequest } from "../ledger";
import { createLedgerAdmin } from "../ledger-admin";
import type { LimitChange, Order } from "../ledger-replies";
import { adminScripts, ledgerScripts } from "../ledger-scripts";
import { deriveOrderId } from "../order-id";
import { keyPrefix } from "../script-runner";
import { testClockKey, withTestClock } from "../test-ledger";
import {
  isOpen,
  LedgerModel,
  listMax,
  type OrderRecord,
  type Person,
  type Reservation,
  type Subject,
} from "./test-ledger-model";

/* Random actions on the ledger and on its model. After each action, replies and records must agree. */

/** Small limits, so that short sequences reach them. A home and a provider may place four orders in 24 hours. */
export const modelPolicy: LedgerPolicy = {
  dailyLikeLimit: 5_000,
  cooldownSeconds: 7_200,
  maxRequestsPerDay: 2,
  maxRequestsPerAddressPerDay: 2,
  pacing: false,
  rateLimit: { requests: 6, windowSeconds: 60 },
  leaseMs: 5_000,
};

/** A paced day of four orders: at first two, from 03:00 three. From 18:00 all, and one from addresses that had an order. */
const pacedPolicy: LedgerPolicy = {
  ...modelPolicy,
  dailyLikeLimit: 200,
  maxRequestsPerAddressPerDay: 4,
  pacing: true,
};

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
/** Not a whole second, because the ledger counts milliseconds. */
const start = Date.parse("2026-11-24T21:30:00.123Z");
const pacedStart = Date.parse("2026-11-24T01:30:00.123Z");
/** Redis deletes keys by its own clock, so records live a little shorter than by the clock of the test. */
const lifeToleranceMs = 5_000;

const waits = {
  second,
  lease: modelPolicy.leaseMs,
  minute,
  hour,
  cooldown: modelPolicy.cooldownSeconds * second,
  /** An order before a cooldown and this wait is exactly a day old. */
  almostDay: day - modelPolicy.cooldownSeconds * second,
  day,
  twoDays: 2 * day,
  month: 31 * day,
} as const;

const small = (max: number) => fc.nat({ max });
/** The client sends a command again after a lost reply. */
const repeated = fc.boolean();
/** The index of an order, as one of the delivery attempts knew it. */
const handle = small(30);

const actions = {
  reserve: {
    weight: 8,
    arbitrary: {
      ...{ visitor: small(2), address: small(2), flow: small(4), post: small(1), body: small(1) },
      requestKey: fc.option(small(1)),
      cookie: fc.option(handle),
      repeated,
    },
  },
  /** A reservation and its outcome. */
  order: {
    weight: 8,
    arbitrary: {
      ...{ visitor: small(2), address: small(2), flow: small(9) },
      outcome: fc.constantFrom("settle", "settle", "release"),
    },
  },
  settle: { weight: 3, arbitrary: { handle, reference: fc.boolean(), repeated } },
  release: { weight: 3, arbitrary: { handle, repeated } },
  defer: { weight: 2, arbitrary: { handle, repeated } },
  claim: { weight: 3, arbitrary: { beforeMs: fc.constantFrom(undefined, 0, minute), repeated } },
  status: { weight: 1, arbitrary: { visitor: small(2), address: small(2), cookie: fc.option(handle) } },
  changeLimit: { weight: 1, arbitrary: { limit: fc.constantFrom(null, 50, 100, 300), repeated } },
  /** The operator adds a secret. Later requests also have the hashes of the earlier secret. */
  rotateSecrets: { weight: 1, arbitrary: {} },
  wait: {
    weight: 6,
    arbitrary: { length: fc.constantFrom(...(Object.keys(waits) as (keyof typeof waits)[])) },
  },
  /** Redis is killed, and starts again with one of its files alone. */
  restart: { weight: 0, arbitrary: { file: fc.constantFrom("append-only file", "snapshot") } },
};

type Actions = typeof actions;
export type Action = {
  [Name in keyof Actions]: { name: Name } & {
    [Field in keyof Actions[Name]["arbitrary"]]: Actions[Name]["arbitrary"][Field] extends fc.Arbitrary<
      infer Value
    >
      ? Value
      : never;
  };
}[keyof Actions];

const action = fc.oneof(
  ...Object.entries(actions).map(([name, { weight, arbitrary }]) => ({
    weight,
    arbitrary: fc.record({
      name: fc.constant(name),
      ...arbitrary,
    }) as fc.Arbitrary<unknown> as fc.Arbitrary<Action>,
  })),
);
/** Sequences of actions. Half of them have a paced day. One sequence in a hundred restarts Redis. */
export const sequences = fc
  .tuple(
    fc.boolean(),
    fc.array(action, { minLength: 1, maxLength: 24, size: "max" }),
    ...[small(99), small(23), actions.restart.arbitrary.file],
  )
  .map(([pacing, list, restart, at, file]): [actions: Action[], policy: LedgerPolicy] => [
    restart === 99 ? list.toSpliced(at, 0, { name: "restart", file }) : list,
    pacing ? pacedPolicy : modelPolicy,
  ]);

type Scripts = typeof ledgerScripts & typeof adminScripts;

export class LedgerUnderTest {
  /** A test may replace the Redis by another one with the same data. */
  transport: TestTransport;
  /** Sends each command twice. */
  repeat = false;
  readonly redis: Redis;
  readonly scripts: Scripts;

  constructor(transport: TestTransport) {
    this.transport = transport;
    const requester: Requester = {
      request: async (command) => {
        const reply = await this.transport.requester.request(command);
        return (this.repeat ? this.transport.requester.request(command) : reply) as never;
      },
    };
    this.redis = new Redis(requester);
    this.scripts = withTestClock({ ...ledgerScripts, ...adminScripts }, (script) =>
      script.replace(/args\.(?:maxOrders|maxChanges)/, String(listMax)),
    );
  }

  /** Runs a sequence on an empty ledger. Throws when the ledger and the model disagree, or at a broken invariant. */
  async run(list: readonly Action[], policy = modelPolicy): Promise<void> {
    const run = await this.begin(policy);
    await run.performAll(list);
    await run.finish();
  }

  /** Empties the Redis. The steps of the returned run have the same errors as `run`. */
  async begin(policy = modelPolicy): Promise<Run> {
    await this.transport.redis.flushall();
    const run = new Run(this, policy);
    await run.setClock();
    return run;
  }
}

/** Returns all keys with values and lives in milliseconds. */
const dump = `
local records = {}
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local kind, value = redis.call('TYPE', key).ok, nil
  if kind == 'string' then value = redis.call('GET', key)
  elseif kind == 'list' then value = redis.call('LRANGE', key, 0, -1)
  else value = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end
  records[#records + 1] = { key = string.sub(key, #ARGV[1] + 1), value = value, life = redis.call('PTTL', key) }
end
return cjson.encode(records)
`;

/** Kills Redis, deletes all its files except one, and starts it as the runbook says. */
async function restart(
  { redis, server }: TestTransport,
  file: "append-only file" | "snapshot",
): Promise<void> {
  // A busy Redis may write its append-only file up to two seconds late, unless it syncs every command.
  await redis.exec(file === "snapshot" ? ["SAVE"] : ["CONFIG", "SET", "appendfsync", "always"]);
  await server.kill();
  rmSync(join(server.dir, file === "snapshot" ? "appendonlydir" : "dump.rdb"), {
    recursive: true,
    force: true,
  });
  await server.restart(file === "snapshot" ? ["--appendonly", "no"] : []);
  await until("Redis is back", () => redis.ping().then(Boolean, () => false));
  await redis.exec(["CONFIG", "SET", "appendonly", "yes"]);
  const readState = () => redis.exec<string>(["INFO", "persistence"]);
  await until("Redis has written its file", async () =>
    (await readState()).includes("aof_rewrite_in_progress:0"),
  );
}

/** Sets the lives of keys. */
const shorten = `for i = 2, #ARGV, 2 do redis.call('PEXPIRE', ARGV[1] .. ARGV[i], ARGV[i + 1]) end return {}`;

class Run {
  readonly model: LedgerModel;
  readonly #test: LedgerUnderTest;
  readonly #redis: Redis;
  readonly #ledger: ReturnType<typeof createLedger>;
  readonly #admin: ReturnType<typeof createLedgerAdmin>;
  /** Orders as the delivery attempts know them. */
  readonly #handles: Order[] = [];
  #final = new Map<string, string>();
  #rotated = false;
  /** Number of reservations whose attempt no reply contains. */
  #unknown = 0;

  constructor(test: LedgerUnderTest, policy: LedgerPolicy) {
    this.model = new LedgerModel(policy, policy.pacing ? pacedStart : start);
    this.#test = test;
    this.#redis = test.redis;
    this.#ledger = createLedger(test.redis, policy, test.scripts);
    this.#admin = createLedgerAdmin(test.redis, policy, test.scripts);
  }

  async performAll(list: readonly Action[]): Promise<void> {
    for (const each of list) {
      await this.perform(each);
      await this.compare();
    }
  }

  /** Returns a function that takes the model back to the present state. A Redis that loses its last writes does the same. */
  remember(): () => void {
    const [entries, now, final] = [structuredClone(this.model.entries), this.model.now, new Map(this.#final)];
    return () => {
      Object.assign(this.model, { entries, now });
      this.#final = final;
    };
  }

  async setClock(): Promise<void> {
    await this.#redis.set(testClockKey, this.model.now);
    // The ledger learns the time of Redis from every reply, and rejects a reserve that is late by this time.
    await this.#ledger.dailyUsage();
  }

  async perform(action: Action): Promise<void> {
    const { model } = this;
    this.#test.repeat = "repeated" in action && action.repeated;
    model.abandoned = 0;
    switch (action.name) {
      case "wait": {
        const due = model.wait(waits[action.length]);
        if (due.length > 0) await this.#redis.del(...due.map((key) => keyPrefix + key));
        // Redis counts the lives down in real time, so the time that the test skips is subtracted here.
        const lives = [...model.entries].filter(([, { expiresAt }]) => expiresAt !== undefined);
        await this.#evaluate(
          shorten,
          ...lives.flatMap(([key, { expiresAt }]) => [key, expiresAt! - model.now]),
        );
        return this.setClock();
      }
      case "restart":
        return restart(this.#test.transport, action.file);
      case "rotateSecrets":
        this.#rotated = true;
        return;
      case "reserve": {
        const request = this.#request(action);
        const reply = await this.#ledger.reserve(request);
        // The orders of other replies have the attempt of an earlier request.
        const attempt = reply.kind === "leased" ? reply.order.attempt : `attempt ${(this.#unknown += 1)}`;
        const expected = this.#twice(action, () => model.reserve(this.#reservation(request, attempt)));
        this.#expect(
          {
            kind: reply.kind,
            wait: "waitSeconds" in reply ? reply.waitSeconds : null,
            ...("usage" in reply && reply.usage),
          },
          {
            kind: expected.kind,
            wait: expected.waitUntil
              ? Math.max(1, Math.ceil((expected.waitUntil - model.now) / 1_000))
              : null,
            ...(expected.order && model.usage()),
          },
        );
        this.#expectOrder("order" in reply ? reply.order : undefined, expected.order);
        if (reply.kind !== "leased") return;
        this.#handles.push(reply.order);
        const isNew = reply.order.createdAt === model.now && reply.order.tries === 1;
        if (isNew && reply.usage.likesUsed > reply.usage.totalLimit)
          throw new Error("the budget is exceeded");
        return;
      }
      case "order": {
        const known = this.#handles.length;
        const common = { post: 0, body: 0, requestKey: null, cookie: null, repeated: false };
        await this.perform({ ...common, ...action, name: "reserve" });
        if (this.#handles.length === known) return;
        await this.compare();
        const outcome = { handle: known, reference: false, repeated: false };
        return this.perform(
          action.outcome === "settle" ? { ...outcome, name: "settle" } : { ...outcome, name: "release" },
        );
      }
      case "claim": {
        const upTo = action.beforeMs === undefined ? undefined : model.now - action.beforeMs;
        const { order, abandoned } = await this.#ledger.claim(upTo);
        const expected = this.#twice(action, () => model.claim(order?.attempt ?? "none", upTo));
        this.#expect(abandoned, model.abandoned);
        this.#expectOrder(order ?? undefined, expected);
        if (order) this.#handles.push(order);
        return;
      }
      case "settle":
      case "release":
      case "defer": {
        const order = this.#handles[action.handle];
        const known = order && model.order(order.id);
        // No attempt takes a day. By then, reconcile has abandoned the order.
        if (!known || known.createdAt !== order.createdAt || model.isOverdue(known)) return;
        const reference = action.name === "settle" && action.reference ? "reference" : undefined;
        const [reply, expected] =
          action.name === "settle"
            ? [
                await this.#ledger.settle(order, reference),
                this.#twice(action, () => model.settle(order.id, waits.cooldown, reference)),
              ]
            : action.name === "release"
              ? [
                  await this.#ledger.release(order, "No."),
                  this.#twice(action, () => model.release(order.id, order.attempt, "No.")),
                ]
              : [
                  await this.#ledger.defer(order),
                  this.#twice(action, () => model.defer(order.id, order.attempt)),
                ];
        return this.#expectOrder(reply, expected);
      }
      case "status": {
        const { visitor } = this.#request(action);
        const expected = { now: model.now, ...model.status(this.#person(visitor)) };
        this.#expect(await this.#ledger.status(visitor), expected);
        this.#expect(await this.#ledger.dailyUsage(), { now: model.now, ...model.usage() });
        return this.#expectOverview();
      }
      case "changeLimit": {
        await this.#admin.changeLimit(action.limit, "test");
        const [last] = (await this.#redis.lrange<{ id: string }>(`${keyPrefix}limit-changes`, -1, -1)) ?? [];
        this.#twice(action, () => model.changeLimit(last?.id ?? "none", action.limit, "test"));
        return;
      }
    }
  }

  /** Compares all records, and checks what must hold at every moment. */
  async compare(): Promise<Map<string, number>> {
    this.#test.repeat = false;
    const { model } = this;
    const records = await this.#evaluate<{ key: string; value: unknown; life: number }[]>(dump);
    const actual = Object.fromEntries(
      records.map(({ key, value }) => [key, this.#withoutPast(parseRecord(value))]),
    );
    const expected = Object.fromEntries(
      [...model.entries].map(([key, { value }]) => [key, this.#withoutPast(value)]),
    );
    this.#expect(actual, expected);
    for (const { key, life } of records) {
      const { expiresAt } = model.entries.get(key)!;
      const expected = expiresAt === undefined ? -1 : expiresAt - model.now;
      if (Math.abs(life - expected) > lifeToleranceMs)
        throw new Error(`Redis deletes ${key} after ${life} ms, the model after ${expected} ms`);
    }
    checkInvariants(actual, this.#final);
    return new Map(records.map(({ key, life }) => [key, life]));
  }

  /** A day later, reconcile closes or abandons every order. Then every key has a life, and no order is open. */
  async finish(): Promise<void> {
    await this.perform({ name: "wait", length: "day" });
    await this.perform({ name: "wait", length: "lease" });
    await this.perform({ name: "claim", beforeMs: undefined, repeated: false });
    await this.perform({ name: "status", visitor: 0, address: 0, cookie: null });
    const lives = await this.compare();
    this.#expect(this.model.pending(), []);
    for (const [key, life] of lives) if (life < 0) throw new Error(`Redis never deletes ${key}`);
  }

  /** A record may keep the end of a cooldown that is over. It has no effect. Replies do not contain the id of each attempt. */
  #withoutPast(record: unknown): unknown {
    const {
      cooldownUntil = Infinity,
      state = null,
      recent,
      ...rest
    } = Object(record) as Partial<OrderRecord & Subject>;
    if (recent) return { ...rest, recent: Object.values(recent).sort() };
    return state === null && cooldownUntil <= this.model.now ? rest : record;
  }

  /** Checks what operators see. */
  async #expectOverview(): Promise<void> {
    const { now, entries } = this.model;
    const open = this.model.pending();
    const listed = open.slice(0, listMax).flatMap(([id]) => this.model.order(id) ?? []);
    const createdAt = listed.map((order) => order.createdAt);
    const oldestAt = createdAt.length > 0 ? Math.min(...createdAt) : null;
    this.#expect(await this.#admin.overview(), { now, ...this.model.usage(), open: open.length, oldestAt });
    const ids = (await this.#admin.listOpen()).map(({ id }) => id);
    this.#expect(
      ids,
      listed.map(({ id }) => id),
    );
    const changes = (entries.get("limit-changes")?.value ?? []) as LimitChange[];
    this.#expect(
      await this.#admin.limitChanges(),
      changes.map(({ at, day, before, after, reason }) => ({ at, day, before, after, reason })),
    );
  }

  #person({ visitorHashes, addressHashes, networks, rateLimitId }: ReserveRequest["visitor"]): Person {
    return {
      visitors: visitorHashes,
      addresses: addressHashes,
      networks: networks.map(({ kind, hashes }) => ({ hashes, cap: networkCap(kind, this.model.policy) })),
      cookie: rateLimitId ?? undefined,
    };
  }

  #reservation(request: ReserveRequest, attempt: string): Reservation {
    const { flowId, postId, requestKey, bodyHash } = request;
    return {
      ...this.#person(request.visitor),
      orderIds: [0, 1, 2].map((n) => deriveOrderId(flowId, n)),
      ...{ flow: flowId, postId, requestKey: requestKey ?? undefined, bodyHash, attempt },
    };
  }

  #request(action: Partial<Omit<Extract<Action, { name: "reserve" }>, "name">>): ReserveRequest {
    const {
      visitor = 0,
      address = 0,
      flow = 0,
      post = 0,
      body = 0,
      requestKey = null,
      cookie = null,
    } = action;
    const hashes = (name: string) => (this.#rotated ? [`${name} new`, name] : [name]);
    return {
      visitor: {
        visitorHashes: hashes(`v${visitor}`),
        addressHashes: hashes(`a${address}`),
        // Two addresses share a home, and all share a provider.
        networks: [
          { kind: "IPv6 /56", hashes: hashes(`home${Math.min(address, 1)}`) },
          { kind: "IPv6 /56", hashes: hashes("provider") },
        ],
        rateLimitId: cookie === null ? null : (this.#handles[cookie]?.id ?? "unknown"),
      },
      ...{ flowId: `flow${flow}`, postId: `post${post}`, postType: "post", bodyHash: `body${body}` },
      requestKey: requestKey === null ? null : `key${requestKey}`,
    };
  }

  #twice<T>(action: { repeated: boolean }, run: () => T): T {
    const first = run();
    if (!action.repeated) return first;
    this.model.abandoned = 0;
    return run();
  }

  #expectOrder(actual: Order | undefined, expected: OrderRecord | undefined): void {
    const ofModel = expected && {
      ...Object.fromEntries(fields.map((field) => [field, expected[field] ?? null])),
      readAt: this.model.now,
    };
    this.#expect(actual, ofModel);
  }

  #expect(actual: unknown, expected: unknown): void {
    assert.equal(describe(actual), describe(expected));
  }

  async #evaluate<T>(script: string, ...args: (string | number)[]): Promise<T> {
    const reply = await this.#redis.eval<unknown[], T>(script, [], [keyPrefix, ...args]);
    // Lua's JSON encoder writes an empty list as {}.
    return (Object.keys(reply as object).length === 0 ? [] : reply) as T;
  }
}

/** Fields of an order in replies. */
const fields = [
  ...["id", "state", "postId", "postType", "likes", "createdAt", "attempt", "visitor"],
  ...["closedAt", "cooldownUntil", "message", "providerReference", "tries"],
] as (keyof OrderRecord)[];

function parseRecord(value: unknown): unknown {
  if (typeof value === "string") {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  const list = value as string[];
  if (list.length > 0 && list.every((each) => each.startsWith("{")))
    return list.map((each) => JSON.parse(each) as unknown);
  return Object.fromEntries(list.flatMap((id, n) => (n % 2 === 0 ? [[id, Number(list[n + 1])]] : [])));
}

/** Returns a text for comparison. Omits empty objects and missing values, because Lua's JSON has neither [] nor null. */
function describe(value: unknown): string {
  return JSON.stringify(simplify(value), null, 1) ?? "nothing";
}

function simplify(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value ?? undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(simplify);
  const entries = Object.entries(value)
    .map(([key, each]) => [key, simplify(each)] as const)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * Checks the records alone, without the model. `final` keeps the final state of each order from one call to the next.
 *
 * @throws Error with the broken invariant
 */
function checkInvariants(records: Record<string, unknown>, final: Map<string, string>): void {
  const orders = Object.entries(records)
    .filter(([key]) => key.startsWith("order:"))
    .map(([, order]) => order as OrderRecord);
  // A new order can have the id of one whose record has expired.
  for (const id of final.keys()) if (!records[`order:${id}`]) final.delete(id);
  for (const { id, state } of orders.filter((order) => !isOpen(order))) {
    if ((final.get(id) ?? state) !== state) throw new Error(`${id} was ${final.get(id)} and is now ${state}`);
    final.set(id, state);
  }
  for (const [key, charged] of Object.entries(records)) {
    const [total, keyDay] = key.split(":");
    if (total !== "budget" && total !== "returning") continue;
    const ofDay = orders.filter(
      ({ day, state, returning }) =>
        String(day) === keyDay && state !== "refused" && (total === "budget" || returning),
    );
    if (charged !== ofDay.length * 50)
      throw new Error(`${key} is ${String(charged)}, for ${ofDay.length} orders`);
  }
  const accepted = orders.filter(({ state }) => state === "accepted");
  for (const { id, visitor, closedAt: at } of accepted) {
    const person = visitor.split(" ")[0];
    const before = accepted.filter(
      (each) => each.visitor.split(" ")[0] === person && each.id !== id && each.closedAt! <= at!,
    );
    if (before.some(({ closedAt }) => closedAt! > at! - waits.cooldown))
      throw new Error(`${id} was accepted in a cooldown`);
    if (before.filter(({ closedAt }) => closedAt! > at! - day).length >= modelPolicy.maxRequestsPerDay)
      throw new Error(`${id} was accepted above the limit of a day`);
  }
}
