import { Redis } from "@upstash/redis";
import { testTransports, useTransport } from "@/testing/test-transports";
import { createLedgerAdmin } from "./ledger-admin";
import { createLedger } from "./ledger";
import { newRequest, policy, reserveOrder } from "@/testing/ledger/test-orders";

/*
 * testing/ledger compares the scripts with a model. These are the cases that it lacks. e2e/operators/ledger-tool.test.ts changes
 * the limit, and finds orders.
 */

describe.each(testTransports)("over $name", ({ start }) => {
  const transport = useTransport(start);

  it("creates one order for many simultaneous requests of one visitor", async () => {
    const ledger = createLedger(transport.redis, policy);
    const requests = Array.from({ length: 20 }, () => newRequest({ visitorHash: "one" }));
    const results = await Promise.all(requests.map((request) => ledger.reserve(request)));
    const orders = results.flatMap((result) => (result.kind === "leased" ? [result.order.id] : []));
    expect(orders).toEqual([expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)]);
    expect(results.filter((result) => result.kind === "in_progress")).toHaveLength(19);
    expect((await ledger.dailyUsage()).likesUsed).toBe(50);
  });

  it("charges nothing when Redis runs the script after the caller's deadline", async () => {
    const ledger = createLedger(transport.redis, policy);
    await ledger.dailyUsage();
    transport.server.freeze();
    const request = newRequest();
    await expect(ledger.reserve(request)).rejects.toMatchObject({ code: "service_unavailable" });
    await new Promise((resolve) => setTimeout(resolve, 200));
    transport.server.thaw();
    expect((await ledger.dailyUsage()).likesUsed).toBe(0);
    expect((await ledger.status(request.visitor)).pending).toBe(false);
  });

  it("leaves open orders of a live site to that site", async () => {
    const live = createLedger(transport.redis, policy);
    const demo = createLedger(transport.redis, { ...policy, live: false });
    const request = newRequest();
    const order = await reserveOrder(live, request);
    await live.defer(order);
    expect((await demo.claim()).order).toBeNull();
    expect(await demo.reserve(request)).toMatchObject({ kind: "in_progress" });
    expect((await live.claim()).order?.id).toBe(order.id);
  });

  it("stores the newest 20 Idempotency-Keys of a visitor", async () => {
    const ledger = createLedger(transport.redis, policy);
    const order = await reserveOrder(ledger, newRequest({ visitorHash: "one", requestKey: "key-0" }));
    for (let n = 1; n <= 21; n += 1) {
      await ledger.reserve(newRequest({ visitorHash: "one", requestKey: `key-${n}` }));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const record = await transport.redis.get<{ requests: object }>("{likes}:v2:visitor:one");
    expect(Object.keys(record?.requests ?? {}).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => `key-${n + 2}`).sort(),
    );
    await ledger.settle(order);
    const replay = newRequest({ visitorHash: "one", requestKey: "key-21" });
    expect(await ledger.reserve(replay)).toMatchObject({ kind: "accepted", order: { id: order.id } });
  });

  it("changes today's limit for every server, which simultaneous requests with one command each do not exceed", async () => {
    const admin = createLedgerAdmin(transport.redis, policy);
    let commands = 0;
    const countingRedis = new Redis({
      request: (command) => {
        commands += 1;
        return transport.requester.request(command);
      },
    });
    const ledger = createLedger(countingRedis, policy);
    await reserveOrder(ledger);
    await admin.changeLimit(500);
    commands = 0;
    const results = await Promise.all(Array.from({ length: 30 }, () => ledger.reserve(newRequest())));
    expect(results.filter(({ kind }) => kind === "leased")).toHaveLength(9);
    expect(results.filter(({ kind }) => kind === "daily_limit")).toHaveLength(21);
    expect(commands).toBe(30);
    expect(await ledger.dailyUsage()).toMatchObject({ likesUsed: 500, totalLimit: 500 });
    // The changed limit also applies to a server whose configured limit differs.
    const otherServer = createLedger(transport.redis, { ...policy, dailyLikeLimit: 50 });
    expect((await otherServer.dailyUsage()).totalLimit).toBe(500);

    await admin.changeLimit(null);
    expect((await ledger.reserve(newRequest())).kind).toBe("leased");
  });

  it("keeps a post id of digits as a string, and lists every accepted order once", async () => {
    const admin = createLedgerAdmin(transport.redis, policy);
    const ledger = createLedger(transport.redis, policy);
    // The Redis client parses some replies as numbers.
    const order = await reserveOrder(ledger, newRequest({ postId: "01234567890" }));
    await ledger.settle(order);
    expect(await admin.find(order.id)).toMatchObject({ postId: "01234567890", state: "accepted" });
    const ids = [order.id];
    for (let n = 0; n < 20; n += 1) ids.push((await ledger.settle(await reserveOrder(ledger))).id);
    await reserveOrder(ledger);
    const found: string[] = [];
    for await (const { id } of admin.listAccepted()) found.push(id);
    expect(found.sort()).toEqual(ids.sort());
  });
});
