import { Redis } from "@upstash/redis";
import { testTransports, type TestTransport } from "@/e2e/support/test-transports";
import { createLedger, type LedgerPolicy, type ReserveRequest } from "./ledger";

let transport: TestTransport;
let redis: Redis;

const policy: LedgerPolicy = {
  dailyLikeLimit: 100_000,
  cooldownSeconds: 14_400,
  maxRequestsPerDay: 6,
  maxRequestsPerAddressPerDay: 60,
  burst: { requests: 1_000, windowSeconds: 60 },
  leaseMs: 5_000,
};

let counter = 0;
/** A request of a visitor nobody has seen before; fields can be overridden. */
function newRequest(
  overrides: Partial<ReserveRequest> & { visitorHash?: string; addressHash?: string } = {},
) {
  counter += 1;
  const { visitorHash = `visitor-${counter}`, addressHash = `address-${counter}`, ...rest } = overrides;
  return {
    visitor: { visitorHashes: [visitorHash], addressHashes: [addressHash], cookieId: null },
    flowId: `flow-${counter}`,
    postId: "Cxyz123abc_",
    postType: "post" as const,
    requestKey: null,
    bodyHash: "body",
    ...rest,
  };
}

async function reserveOrder(ledger: ReturnType<typeof createLedger>, request: ReserveRequest) {
  const result = await ledger.reserve(request);
  if (result.kind !== "leased") throw new Error(`expected an order, got ${result.kind}`);
  return result.order;
}

async function accept(ledger: ReturnType<typeof createLedger>, request: ReserveRequest) {
  return ledger.settle((await reserveOrder(ledger, request)).id);
}

describe.each(testTransports)("over $name", ({ start }) => {
  beforeAll(async () => {
    transport = await start();
    redis = transport.redis;
  });
  afterAll(() => transport.stop());
  beforeEach(() => redis.flushall());

  describe("reserve", () => {
    it("charges the budget and leases the order to the attempt", async () => {
      const ledger = createLedger(redis, policy);
      const order = await reserveOrder(ledger, newRequest());
      expect(order).toMatchObject({ state: "reserved", likes: 50, postId: "Cxyz123abc_" });
      expect(order.id).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    });

    it("makes one order of many simultaneous requests of one visitor", async () => {
      const ledger = createLedger(redis, policy);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          ledger.reserve(newRequest({ visitorHash: "one", flowId: `f${n}` })),
        ),
      );
      expect(results.filter((result) => result.kind === "leased")).toHaveLength(1);
      expect(results.filter((result) => result.kind === "in_progress")).toHaveLength(19);
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    });

    it("refuses a visitor within the cooldown and charges nothing", async () => {
      const ledger = createLedger(redis, policy);
      await accept(ledger, newRequest({ visitorHash: "one" }));
      const again = await ledger.reserve(newRequest({ visitorHash: "one" }));
      expect(again).toMatchObject({ kind: "cooldown" });
      expect(again.kind === "cooldown" && again.waitSeconds).toBeGreaterThan(14_390);
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    });

    it("finds the cooldown under the cookie alone and under a rotated secret's hash", async () => {
      const ledger = createLedger(redis, policy);
      const order = await accept(ledger, newRequest({ visitorHash: "old-secret" }));
      const byCookie = newRequest({
        visitor: { visitorHashes: ["elsewhere"], addressHashes: ["elsewhere"], cookieId: order.cookieId },
      });
      expect((await ledger.reserve(byCookie)).kind).toBe("cooldown");
      const rotated = newRequest({
        visitor: { visitorHashes: ["new-secret", "old-secret"], addressHashes: ["a"], cookieId: null },
      });
      expect((await ledger.reserve(rotated)).kind).toBe("cooldown");
    });

    it("lets the visitor request again once the cooldown is over, but not more than the cap a day", async () => {
      const ledger = createLedger(redis, { ...policy, cooldownSeconds: 0.03, maxRequestsPerDay: 2 });
      for (let n = 0; n < 2; n += 1) {
        await accept(ledger, newRequest({ visitorHash: "one" }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const third = await ledger.reserve(newRequest({ visitorHash: "one" }));
      expect(third.kind).toBe("daily_cap");
      expect((await ledger.status(newRequest({ visitorHash: "one" }).visitor)).dailyCapUntil).toBeGreaterThan(
        0,
      );
    });

    it("caps the orders of one address, whatever the fingerprints", async () => {
      const ledger = createLedger(redis, { ...policy, maxRequestsPerAddressPerDay: 3 });
      for (let n = 0; n < 3; n += 1) await accept(ledger, newRequest({ addressHash: "home" }));
      expect((await ledger.reserve(newRequest({ addressHash: "home" }))).kind).toBe("address_cap");
    });

    it("limits the attempts of one address", async () => {
      const ledger = createLedger(redis, { ...policy, burst: { requests: 2, windowSeconds: 3_600 } });
      await ledger.reserve(newRequest({ addressHash: "home" }));
      await ledger.reserve(newRequest({ addressHash: "home" }));
      expect((await ledger.reserve(newRequest({ addressHash: "home" }))).kind).toBe("rate_limited");
    });

    it("refuses beyond the daily limit and charges nothing", async () => {
      const ledger = createLedger(redis, { ...policy, dailyLikeLimit: 120 });
      await reserveOrder(ledger, newRequest());
      await reserveOrder(ledger, newRequest());
      const third = await ledger.reserve(newRequest());
      expect(third.kind).toBe("daily_limit");
      const usage = await ledger.dailyUsage();
      expect(usage.likesUsed).toBe(100);
      expect(third.kind === "daily_limit" && third.waitSeconds).toBe(
        Math.ceil((usage.resetsAt - usage.now) / 1_000),
      );
    });

    it("answers a repeated request with its stored outcome, and refuses its key for another body", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest({ requestKey: "key-1" });
      const order = await accept(ledger, request);
      expect(await ledger.reserve(request)).toMatchObject({ kind: "accepted", order: { id: order.id } });
      expect((await ledger.reserve({ ...request, bodyHash: "other" })).kind).toBe("key_reused");
    });

    it("gives one order per captcha check, from whatever address", async () => {
      const ledger = createLedger(redis, policy);
      await accept(ledger, newRequest({ flowId: "flow" }));
      expect((await ledger.reserve(newRequest({ flowId: "flow" }))).kind).toBe("flow_used");
    });

    it("runs a repeated command once: the client library repeats it after a lost answer", async () => {
      const answers: unknown[] = [];
      // Runs each command twice and loses the first answer, as a connection that breaks after the command ran does.
      const repeating = new Redis({
        request: async (command) => {
          answers.push(await transport.requester.request(command));
          return transport.requester.request(command);
        },
      });
      const ledger = createLedger(repeating, policy);
      const order = await reserveOrder(ledger, newRequest({ visitorHash: "one" }));
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
      expect(await ledger.settle(order.id)).toMatchObject({ state: "accepted" });
      const refused = await reserveOrder(ledger, newRequest());
      await ledger.release(refused, "no");
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
      expect(answers.length).toBeGreaterThan(4);
    });

    it("charges nothing when Redis runs it after the caller has given up", async () => {
      const ledger = createLedger(redis, policy);
      await ledger.dailyUsage();
      transport.server.freeze();
      await expect(ledger.reserve(newRequest({ visitorHash: "one" }))).rejects.toMatchObject({
        code: "service_unavailable",
      });
      await new Promise((resolve) => setTimeout(resolve, 200));
      transport.server.thaw();
      expect((await ledger.dailyUsage()).likesUsed).toBe(0);
      expect((await ledger.status(newRequest({ visitorHash: "one" }).visitor)).pending).toBe(false);
    });
  });

  describe("settle, release, defer and claim", () => {
    it("starts the cooldown at acceptance and accepts once", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest();
      const order = await accept(ledger, request);
      const again = await ledger.settle(order.id);
      expect(again).toEqual(order);
      expect(order.cooldownUntil! - order.closedAt!).toBe(14_400_000);
      expect((await ledger.status(request.visitor)).cooldownUntil).toBe(order.cooldownUntil);
    });

    it("gives everything back on release: budget, visitor, caps and captcha check", async () => {
      const ledger = createLedger(redis, { ...policy, maxRequestsPerDay: 1 });
      const request = newRequest();
      const refused = await ledger.release(await reserveOrder(ledger, request), "That post is not allowed.");
      expect(refused).toMatchObject({ state: "refused", message: "That post is not allowed." });
      expect((await ledger.dailyUsage()).likesUsed).toBe(0);
      expect((await ledger.reserve(request)).kind).toBe("leased");
    });

    it("lets only the holder of the lease release", async () => {
      const ledger = createLedger(redis, { ...policy, leaseMs: 10 });
      const request = newRequest();
      const first = await reserveOrder(ledger, request);
      await new Promise((resolve) => setTimeout(resolve, 30));
      const second = await ledger.reserve(request);
      expect(second).toMatchObject({ kind: "leased", order: { id: first.id, state: "pending" } });
      expect((await ledger.release(first, "no")).state).toBe("pending");
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    });

    it("keeps a deferred order open: the visitor resumes it, another post waits", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest();
      const order = await reserveOrder(ledger, request);
      await ledger.defer(order);
      expect(await ledger.status(request.visitor)).toMatchObject({ pending: true, cooldownUntil: null });
      expect((await ledger.reserve({ ...request, flowId: "other", postId: "Other" })).kind).toBe(
        "other_pending",
      );
      expect(await ledger.reserve(request)).toMatchObject({ kind: "leased", order: { id: order.id } });
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    });

    it("lets the same browser resume from another address", async () => {
      const ledger = createLedger(redis, policy);
      const order = await reserveOrder(ledger, newRequest({ flowId: "flow" }));
      await ledger.defer(order);
      expect(await ledger.reserve(newRequest({ flowId: "flow" }))).toMatchObject({
        kind: "leased",
        order: { id: order.id },
      });
    });

    it("hands each open order to one claimer, never a leased one, and none twice in a run", async () => {
      const ledger = createLedger(redis, policy);
      const leased = await reserveOrder(ledger, newRequest());
      const open = await reserveOrder(ledger, newRequest());
      await ledger.defer(open);
      const [first, second] = await Promise.all([ledger.claim(), ledger.claim()]);
      const claimed = [first.order?.id, second.order?.id].filter(Boolean);
      expect(claimed).toEqual([open.id]);
      expect(claimed).not.toContain(leased.id);
      const mine = first.order ?? second.order;
      await ledger.defer(mine!);
      expect((await ledger.claim(Math.min(first.now, second.now) - 1)).order).toBeNull();
      expect((await ledger.claim()).order?.id).toBe(open.id);
    });

    it("abandons an order after 24 hours: the budget stays charged, the visitor is free", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest();
      const order = await reserveOrder(ledger, request);
      await ledger.defer(order);
      await redis.hset(`{likes}:v1:order:${order.id}`, { createdAt: order.createdAt - 24 * 3_600_000 });
      expect(await ledger.claim()).toMatchObject({ order: null, abandoned: 1 });
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
      expect(await ledger.settle(order.id)).toMatchObject({ state: "abandoned" });
      expect((await ledger.reserve(request)).kind).toBe("leased");
    });
  });

  it("gives every key a life", async () => {
    const ledger = createLedger(redis, policy);
    await accept(ledger, newRequest({ requestKey: "key" }));
    await ledger.defer(await reserveOrder(ledger, newRequest()));
    await ledger.release(await reserveOrder(ledger, newRequest()), "no");
    const keys = await redis.keys("*");
    expect(keys.length).toBeGreaterThan(10);
    for (const key of keys) {
      expect(key.startsWith("{likes}:v1:")).toBe(true);
      const life = await redis.pttl(key);
      expect({ key, bounded: life > 0 && life <= 30 * 86_400_000 }).toEqual({ key, bounded: true });
    }
  });
});
