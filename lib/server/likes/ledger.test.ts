import { Redis } from "@upstash/redis";
import { testTransports, type TestTransport } from "@/e2e/support/test-transports";
import { createLedgerAdmin } from "./ledger-admin";
import { createLedger, type Ledger, type ReserveRequest } from "./ledger";
import type { Order } from "./ledger-replies";
import { newRequest, policy, reserveOrder } from "./test-ledger";

let transport: TestTransport;
let redis: Redis;

async function accept(ledger: Ledger, request: ReserveRequest = newRequest()) {
  return ledger.settle(await reserveOrder(ledger, request));
}

/** Policy with a cap of two orders per address and per IPv6 /56 network. */
const caps = { maxRequestsPerDay: 1, maxRequestsPerAddressPerDay: 2, dailyLikeLimit: 2_000 };
const smallCapPolicy = { ...policy, ...caps };

/** Returns an IPv6 /56 network and the /48 network that contains it. The hashes are the given names. */
const networksOf = (household: string, provider: string, prefix = "") => [
  { kind: "IPv6 /56" as const, hashes: [prefix + household] },
  { kind: "IPv6 /48" as const, hashes: [prefix + provider] },
];

async function makeOlder({ id, createdAt }: Order, byMs: number): Promise<void> {
  const key = `{likes}:v2:order:${id}`;
  const record = await redis.get<object>(key);
  await redis.set(key, { ...record, createdAt: createdAt - byMs }, { keepTtl: true });
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
      const order = await reserveOrder(ledger);
      expect(order).toMatchObject({ state: "reserved", likes: 50, postId: "Cxyz123abc_" });
      expect(order.id).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    });

    it("creates one order for many simultaneous requests of one visitor", async () => {
      const ledger = createLedger(redis, policy);
      const requests = Array.from({ length: 20 }, () => newRequest({ visitorHash: "one" }));
      const results = await Promise.all(requests.map((request) => ledger.reserve(request)));
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

    it("finds the cooldown by the cookie alone, and by the visitor hash of the previous secret", async () => {
      const ledger = createLedger(redis, policy);
      const order = await accept(ledger, newRequest({ visitorHash: "old-secret" }));
      const { visitor } = newRequest();
      const byCookie = newRequest({ visitor: { ...visitor, rateLimitId: order.id } });
      expect((await ledger.reserve(byCookie)).kind).toBe("cooldown");
      const rotated = newRequest({ visitor: { ...visitor, visitorHashes: ["new-secret", "old-secret"] } });
      expect((await ledger.reserve(rotated)).kind).toBe("cooldown");
    });

    it("allows a new request after the cooldown, up to the daily cap", async () => {
      const ledger = createLedger(redis, { ...policy, cooldownSeconds: 0.03, maxRequestsPerDay: 2 });
      for (let n = 0; n < 2; n += 1) {
        await accept(ledger, newRequest({ visitorHash: "one" }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const third = newRequest({ visitorHash: "one" });
      expect((await ledger.reserve(third)).kind).toBe("daily_cap");
      expect((await ledger.status(third.visitor)).dailyCapUntil).toBeGreaterThan(0);
    });

    it("caps the orders of one address across visitors", async () => {
      const ledger = createLedger(redis, { ...policy, maxRequestsPerAddressPerDay: 3 });
      for (let n = 0; n < 3; n += 1) await accept(ledger, newRequest({ addressHash: "home" }));
      expect((await ledger.reserve(newRequest({ addressHash: "home" }))).kind).toBe("address_cap");
    });

    it("caps the orders of a network across addresses, and does not affect other networks", async () => {
      // With this daily limit, the cap is two orders for an IPv6 /56 and four for a /48.
      const ledger = createLedger(redis, { ...smallCapPolicy, dailyLikeLimit: 50 * 45 });
      const requestFrom = (household: string) => newRequest({ networks: networksOf(household, "provider") });
      await accept(ledger, requestFrom("home"));
      await reserveOrder(ledger, requestFrom("home"));
      const third = requestFrom("home");
      const refused = await ledger.reserve(third);
      if (refused.kind !== "address_cap") throw new Error(`expected address_cap, got ${refused.kind}`);
      expect(refused.waitSeconds).toBeGreaterThan(23 * 3_600);
      expect(refused.waitSeconds).toBeLessThanOrEqual(24 * 3_600);
      expect((await ledger.status(third.visitor)).addressCapUntil).toBeGreaterThan(0);
      await reserveOrder(ledger, requestFrom("second"));
      await reserveOrder(ledger, requestFrom("second"));
      expect((await ledger.reserve(requestFrom("third"))).kind).toBe("address_cap");
      await reserveOrder(ledger, newRequest({ networks: networksOf("home", "provider", "elsewhere-") }));
      expect((await ledger.dailyUsage()).likesUsed).toBe(250);
    });

    it("stores hourly order counts of a network in one record and expires them after 24 hours", async () => {
      const ledger = createLedger(redis, smallCapPolicy);
      const networks = networksOf("home", "provider");
      for (let n = 0; n < 2; n += 1) await reserveOrder(ledger, newRequest({ networks }));
      const key = "{likes}:v2:network:home";
      const hour = Math.floor(Date.now() / 3_600_000);
      expect(await redis.get(key)).toMatchObject({ hours: { [hour]: 2 } });
      expect(await redis.pttl(key)).toBeLessThanOrEqual(24 * 3_600_000);
      await redis.set(key, { hours: { [hour - 23]: 2 } });
      expect((await ledger.reserve(newRequest({ networks }))).kind).toBe("address_cap");
      await redis.set(key, { hours: { [hour - 24]: 2 } });
      await reserveOrder(ledger, newRequest({ networks }));
      expect(await redis.get(key)).toMatchObject({ hours: { [hour]: 1 } });
    });

    it("finds a network's orders by the hash of the previous secret", async () => {
      const ledger = createLedger(redis, smallCapPolicy);
      for (let n = 0; n < 2; n += 1)
        await reserveOrder(ledger, newRequest({ networks: networksOf("old", "provider") }));
      const networks = [{ kind: "IPv6 /56" as const, hashes: ["new", "old"] }];
      expect((await ledger.reserve(newRequest({ networks }))).kind).toBe("address_cap");
    });

    it("counts a refused order for its address and its networks, because it cost a call of the service", async () => {
      const ledger = createLedger(redis, smallCapPolicy);
      const networks = networksOf("line", "provider");
      const refuse = async (request: ReserveRequest) =>
        ledger.release(await reserveOrder(ledger, request), "no");
      for (const createRequest of [
        () => newRequest({ addressHash: "home" }),
        () => newRequest({ networks }),
      ]) {
        await refuse(createRequest());
        await refuse(createRequest());
        expect((await ledger.reserve(createRequest())).kind).toBe("address_cap");
      }
    });

    it("limits the rate of attempts from one address", async () => {
      const ledger = createLedger(redis, { ...policy, rateLimit: { requests: 2, windowSeconds: 3_600 } });
      await ledger.reserve(newRequest({ addressHash: "home" }));
      await ledger.reserve(newRequest({ addressHash: "home" }));
      expect((await ledger.reserve(newRequest({ addressHash: "home" }))).kind).toBe("rate_limited");
    });

    it("accepts one of 20 simultaneous orders for the last place of the day, and charges nothing for the others", async () => {
      const ledger = createLedger(redis, { ...policy, dailyLikeLimit: 120 });
      await reserveOrder(ledger);
      const before = await ledger.dailyUsage();
      const results = await Promise.all(Array.from({ length: 20 }, () => ledger.reserve(newRequest())));
      const after = await ledger.dailyUsage();
      const refusals = results.flatMap((result) => (result.kind === "daily_limit" ? [result] : []));
      expect([refusals.length, after.likesUsed]).toEqual([19, 100]);
      // Redis's clock advanced between the two calls of dailyUsage, so the test accepts a range.
      const secondsLeft = ({ resetsAt, now }: typeof after) => Math.ceil((resetsAt - now) / 1_000);
      for (const { waitSeconds } of refusals) {
        expect(waitSeconds).toBeGreaterThanOrEqual(secondsLeft(after));
        expect(waitSeconds).toBeLessThanOrEqual(secondsLeft(before));
      }
    });

    it("returns the stored outcome for a repeated request, and refuses its key with another body", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest({ requestKey: "key-1" });
      const order = await accept(ledger, request);
      expect(await ledger.reserve(request)).toMatchObject({ kind: "accepted", order: { id: order.id } });
      expect((await ledger.reserve({ ...request, bodyHash: "other" })).kind).toBe("key_reused");
    });

    it("allows one order per captcha check, also from different addresses", async () => {
      const ledger = createLedger(redis, policy);
      const order = await accept(ledger, newRequest({ flowId: "flow" }));
      // The response was lost, and the visitor has a new address.
      const repeated = await ledger.reserve(newRequest({ flowId: "flow" }));
      expect(repeated).toMatchObject({ kind: "accepted", order: { id: order.id } });
      expect((await ledger.reserve(newRequest({ flowId: "flow", postId: "other" }))).kind).toBe("flow_used");
    });

    it("charges nothing when Redis runs the script after the caller's deadline", async () => {
      const ledger = createLedger(redis, policy);
      await ledger.dailyUsage();
      transport.server.freeze();
      const request = newRequest();
      await expect(ledger.reserve(request)).rejects.toMatchObject({ code: "service_unavailable" });
      await new Promise((resolve) => setTimeout(resolve, 200));
      transport.server.thaw();
      expect((await ledger.dailyUsage()).likesUsed).toBe(0);
      expect((await ledger.status(request.visitor)).pending).toBe(false);
    });
  });

  describe("settle, release, defer and claim", () => {
    it("starts the cooldown at acceptance and accepts an order only once", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest();
      const order = await accept(ledger, request);
      const again = await ledger.settle(order);
      expect(again).toEqual({ ...order, readAt: again.readAt });
      expect(order.cooldownUntil! - order.closedAt!).toBe(14_400_000);
      expect((await ledger.status(request.visitor)).cooldownUntil).toBe(order.cooldownUntil);
    });

    it("restores the budget on release, and allows a new order with the same captcha check", async () => {
      const ledger = createLedger(redis, { ...policy, maxRequestsPerDay: 1 });
      const request = newRequest();
      const refused = await ledger.release(await reserveOrder(ledger, request), "That post is not allowed.");
      expect(refused).toMatchObject({ state: "refused", message: "That post is not allowed." });
      expect((await ledger.dailyUsage()).likesUsed).toBe(0);
      expect((await ledger.reserve(request)).kind).toBe("leased");
    });

    it("allows reuse of a captcha check after two refusals, and requires a new one after the third", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest();
      const ids = new Set<string>();
      for (let n = 0; n < 3; n += 1) {
        const order = await reserveOrder(ledger, request);
        ids.add(order.id);
        await ledger.release(order, "no");
      }
      expect(ids.size).toBe(3);
      expect((await ledger.reserve(request)).kind).toBe("flow_used");
      expect((await ledger.reserve({ ...request, flowId: "new" })).kind).toBe("leased");
    });

    it("stores the newest 20 Idempotency-Keys of a visitor", async () => {
      const ledger = createLedger(redis, policy);
      const order = await reserveOrder(ledger, newRequest({ visitorHash: "one", requestKey: "key-0" }));
      for (let n = 1; n <= 21; n += 1) {
        await ledger.reserve(newRequest({ visitorHash: "one", requestKey: `key-${n}` }));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const record = await redis.get<{ requests: object }>("{likes}:v2:visitor:one");
      expect(Object.keys(record?.requests ?? {}).sort()).toEqual(
        Array.from({ length: 20 }, (_, n) => `key-${n + 2}`).sort(),
      );
      await ledger.settle(order);
      const replay = newRequest({ visitorHash: "one", requestKey: "key-21" });
      expect(await ledger.reserve(replay)).toMatchObject({ kind: "accepted", order: { id: order.id } });
    });

    it("lets only the holder of the lease release an order", async () => {
      const ledger = createLedger(redis, { ...policy, leaseMs: 10 });
      const request = newRequest();
      const first = await reserveOrder(ledger, request);
      await new Promise((resolve) => setTimeout(resolve, 30));
      const second = await ledger.reserve(request);
      expect(second).toMatchObject({ kind: "leased", order: { id: first.id, state: "pending" } });
      expect((await ledger.release(first, "no")).state).toBe("pending");
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    });

    it("keeps a deferred order open for its visitor, and refuses another post", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest();
      const order = await reserveOrder(ledger, request);
      await ledger.defer(order);
      expect(await ledger.status(request.visitor)).toMatchObject({ pending: true, cooldownUntil: null });
      const otherPost = { ...request, flowId: "other", postId: "Other" };
      expect((await ledger.reserve(otherPost)).kind).toBe("other_pending");
      expect(await ledger.reserve(request)).toMatchObject({ kind: "leased", order: { id: order.id } });
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
    });

    it("resumes the order for the same flow from another address", async () => {
      const ledger = createLedger(redis, policy);
      const order = await reserveOrder(ledger, newRequest({ flowId: "flow" }));
      await ledger.defer(order);
      const resumed = { kind: "leased", order: { id: order.id } };
      expect(await ledger.reserve(newRequest({ flowId: "flow" }))).toMatchObject(resumed);
    });

    it("leases each open order to one claimer, skips leased orders, and claims no order twice in a run", async () => {
      const ledger = createLedger(redis, policy);
      await reserveOrder(ledger);
      const open = await reserveOrder(ledger);
      await ledger.defer(open);
      const [first, second] = await Promise.all([ledger.claim(), ledger.claim()]);
      // Only `open` can be claimed: the first order of this test is still leased.
      expect([first.order?.id, second.order?.id].filter(Boolean)).toEqual([open.id]);
      await ledger.defer((first.order ?? second.order)!);
      expect((await ledger.claim(Math.min(first.now, second.now) - 1)).order).toBeNull();
      expect((await ledger.claim()).order?.id).toBe(open.id);
    });

    it("abandons an order after 24 hours, keeps the budget charged and unblocks the visitor", async () => {
      const ledger = createLedger(redis, policy);
      const request = newRequest();
      const order = await reserveOrder(ledger, request);
      await ledger.defer(order);
      await makeOlder(order, 24 * 3_600_000);
      const younger = await reserveOrder(ledger);
      await ledger.defer(younger);
      // One claim call abandons the older order and leases the younger order.
      const claimed = await ledger.claim();
      expect(claimed).toMatchObject({ order: { id: younger.id }, abandoned: 1 });
      await ledger.release(claimed.order!, "not this one");
      expect((await ledger.dailyUsage()).likesUsed).toBe(50);
      expect(await ledger.settle(order)).toMatchObject({ state: "abandoned" });
      expect((await ledger.reserve(request)).kind).toBe("leased");
    });
  });

  describe("ledger administration", () => {
    it("changes today's limit for every server, and needs no extra Redis command per reservation", async () => {
      const admin = createLedgerAdmin(redis, policy);
      let commands = 0;
      const countingRedis = new Redis({
        request: (command) => {
          commands += 1;
          return transport.requester.request(command);
        },
      });
      const ledger = createLedger(countingRedis, policy);
      await reserveOrder(ledger);
      await admin.changeLimit(500, "robots");
      commands = 0;
      const results = await Promise.all(Array.from({ length: 30 }, () => ledger.reserve(newRequest())));
      expect(results.filter(({ kind }) => kind === "leased")).toHaveLength(9);
      expect(results.filter(({ kind }) => kind === "daily_limit")).toHaveLength(21);
      expect(commands).toBe(30);
      expect(await ledger.dailyUsage()).toMatchObject({ likesUsed: 500, totalLimit: 500 });
      // The changed limit also applies to a server whose configured limit differs.
      const otherServer = createLedger(redis, { ...policy, dailyLikeLimit: 50 });
      expect((await otherServer.dailyUsage()).totalLimit).toBe(500);

      await admin.changeLimit(null);
      expect((await ledger.reserve(newRequest())).kind).toBe("leased");
      expect(await ledger.dailyUsage()).toMatchObject({ likesUsed: 550, totalLimit: 100_000 });
      const changes = await admin.limitChanges();
      const lowered = { before: 100_000, after: 500, reason: "robots" };
      expect(changes).toMatchObject([lowered, { before: 500, after: 100_000 }]);
      expect(Math.floor((changes[0]?.at ?? 0) / 86_400_000)).toBe(changes[0]?.day);
    });

    it("raises an exhausted limit, only for that day", async () => {
      const ledger = createLedger(redis, { ...policy, dailyLikeLimit: 50 });
      await reserveOrder(ledger);
      const { day } = await createLedgerAdmin(redis, policy).changeLimit(100);
      await reserveOrder(ledger);
      expect((await ledger.reserve(newRequest())).kind).toBe("daily_limit");
      await redis.rename(`{likes}:v2:limit:${day}`, `{likes}:v2:limit:${day - 1}`);
      expect((await ledger.dailyUsage()).totalLimit).toBe(50);
    });

    it("records a limit change, and rejects invalid limits", async () => {
      const admin = createLedgerAdmin(redis, policy);
      await admin.changeLimit(500);
      expect(await admin.limitChanges()).toMatchObject([{ before: 100_000, after: 500 }]);
      for (const invalid of [49, 0, -50, 75.5, NaN, Infinity])
        await expect(admin.changeLimit(invalid)).rejects.toThrow(RangeError);
      expect(await admin.limitChanges()).toHaveLength(1);
    });

    it("counts open orders and finds the oldest, even when another order is due earlier", async () => {
      const admin = createLedgerAdmin(redis, policy);
      const ledger = createLedger(redis, policy);
      expect(await admin.overview()).toMatchObject({ open: 0, oldestAt: null, likesUsed: 0 });
      const first = await reserveOrder(ledger);
      const second = await reserveOrder(ledger);
      await accept(ledger);
      await makeOlder(first, 60_000);
      await ledger.defer(second);
      const oldestAt = first.createdAt - 60_000;
      expect(await admin.overview()).toMatchObject({
        open: 2,
        oldestAt,
        likesUsed: 150,
        totalLimit: 100_000,
      });
      expect((await admin.listOpen()).map(({ id }) => id)).toEqual([second.id, first.id]);
    });

    it("finds an order by its reference, and lists every accepted order once", async () => {
      const admin = createLedgerAdmin(redis, policy);
      const ledger = createLedger(redis, policy);
      // The Redis client parses some replies as numbers. A post id of digits must stay a string.
      const order = await reserveOrder(ledger, newRequest({ postId: "01234567890" }));
      expect(await admin.find(order.id)).toMatchObject({ id: order.id, state: "reserved", tries: 1 });
      const providerReference = "service-7";
      await ledger.settle(order, providerReference);
      const settled = { postId: "01234567890", state: "accepted", providerReference };
      expect(await admin.find(order.id)).toMatchObject(settled);
      expect(await admin.find("NONE")).toBeNull();
      const ids = [order.id];
      for (let n = 0; n < 20; n += 1) ids.push((await accept(ledger)).id);
      await reserveOrder(ledger);
      const found: string[] = [];
      for await (const { id } of admin.listAccepted()) found.push(id);
      expect(found.sort()).toEqual(ids.sort());
    });
  });
});
