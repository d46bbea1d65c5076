import { expect, test, useServers } from "@/testing/test";
import { parseLog } from "../security/log-lines";
import { isSigned } from "@/testing/servers/webhook-receiver";
import { likesUsed, newAddress, referenceOf, Visitor, type VisitorOptions } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/*
 * lib/server/delivery/delivery.test.ts covers the bodies of responses, lib/server/likes/ledger.test.ts and testing/ledger the
 * rules of the ledger.
 */

const authorization = "Bearer cron-secret-of-the-tests";
const servers = useServers({
  live: true,
  env: { LIKE_WEBHOOK_TIMEOUT_MS: "1000", CRON_SECRET: "cron-secret-of-the-tests" },
});

test.beforeEach(async () => {
  await servers.store.flushall();
  servers.receiver.requests.length = 0;
  servers.receiver.respond("accept");
});

/** Returns a visitor at step 3. */
async function startedVisitor(options?: VisitorOptions): Promise<Visitor> {
  const visitor = new Visitor(servers.app.url, options);
  await visitor.startFlow();
  return visitor;
}

const reconcile = async () =>
  (await new Visitor(servers.app.url).post("/api/cron/reconcile", {}, { authorization })).body;
const statusOf = async (visitor: Visitor) => (await visitor.get("/api/instagram/status")).body;
const receivedIds = () => servers.receiver.requests.map((request) => request.headers["webhook-id"]);

test("sends one signed webhook call with the order, charges the day, and starts a cooldown of four hours", async () => {
  const visitor = await startedVisitor();
  const { status, body } = await visitor.like();
  expect(status).toBe(200);
  const order = body.order as { reference: string };
  expect(order).toMatchObject({ postId: "Cxyz123abc_", likes: 50 });
  expect(body.dailyLimit).toMatchObject({ likesUsed: 50, totalLimit: 100_000 });
  expect(visitor.cookies.has("rate-limit")).toBe(true);
  expect(await statusOf(visitor)).toMatchObject({ canRequest: false, reason: "cooldown", pending: false });
  const again = await visitor.like();
  expect(again).toMatchObject({ status: 429, body: { success: false, code: "cooldown" } });
  expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(14_390);

  expect(servers.receiver.requests).toHaveLength(1);
  const call = servers.receiver.requests[0]!;
  expect(isSigned(call)).toBe(true);
  expect(call.headers["webhook-id"]).toBe(order.reference);
  expect(JSON.parse(call.body)).toMatchObject({
    type: "likes.requested",
    timestamp: expect.any(String),
    data: {
      orderId: order.reference,
      postId: "Cxyz123abc_",
      postType: "post",
      postUrl: "https://www.instagram.com/p/Cxyz123abc_/",
      likes: 50,
    },
  });
  expect(await likesUsed(servers.app.url)).toBe(50);
});

test("refuses another post with the same Idempotency-Key, and a post that was not verified", async () => {
  const visitor = await startedVisitor();
  await visitor.like("Cxyz123abc_", "key-2");
  await visitor.startFlow("Other");
  expect(await visitor.like("Other", "key-2")).toMatchObject({
    status: 422,
    body: { code: "idempotency_key_reused" },
  });
  expect(await visitor.like("Unverified")).toMatchObject({ status: 409, body: { code: "post_mismatch" } });
});

for (const [way, options] of [
  ["from its address, without the cookies", { userAgent: "another browser" }],
  ["from another address, with the cookie", { address: newAddress(), fingerprint: "another" }],
] as const)
  test(`refuses a second order of a visitor within the cooldown ${way}`, async () => {
    const visitor = await startedVisitor();
    await visitor.like();
    const returning = await startedVisitor({ ...visitor.options, ...options });
    if ("address" in options) returning.cookies.set("rate-limit", visitor.cookies.get("rate-limit")!);
    expect(await statusOf(returning)).toMatchObject({ canRequest: false });
    expect(await returning.like()).toMatchObject({ status: 429, body: { code: "cooldown" } });
    expect(servers.receiver.requests).toHaveLength(1);
  });

test.describe("when the receiver does not accept", () => {
  test("a refusal shows the receiver's message, charges nothing and allows another request", async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond({ status: 422, body: { message: "This post breaks our\nrules." } });
    expect(await visitor.like()).toMatchObject({
      status: 422,
      body: { code: "delivery_refused", message: "This post breaks our rules." },
    });
    expect(await likesUsed(servers.app.url)).toBe(0);
    expect(await statusOf(visitor)).toMatchObject({ canRequest: true, pending: false });
    servers.receiver.respond("accept");
    expect((await visitor.like()).status).toBe(200);
  });

  // "junk" is a page with 200.
  for (const reply of ["error", "redirect", "hang", "drop", "cut", "junk", 401] as const)
    test(`the response "${reply}" leaves the order pending, and reconcile completes it with the same id`, async () => {
      const visitor = await startedVisitor();
      const isStatus = typeof reply === "number";
      servers.receiver.respond(isStatus ? { status: reply, body: { message: "Refused." } } : reply);
      const response = await visitor.like("Cxyz123abc_", "key");
      expect(response).toMatchObject({ status: 503, body: { success: false, code: "order_pending" } });
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      const attempt = parseLog(servers.app).findLast(({ event }) => event === "delivery");
      expect(attempt).toMatchObject({ level: "warn", outcome: "unknown" });
      if (isStatus) expect(attempt?.reason).toBe(`HTTP ${reply}`);
      // The server follows no redirect.
      expect(servers.receiver.requests).toHaveLength(1);
      expect(await likesUsed(servers.app.url)).toBe(50);
      // A pending order is neither a cooldown nor a success.
      expect(await statusOf(visitor)).toMatchObject({ canRequest: true, pending: true });
      expect((await visitor.visit("/success")).html).toContain("You Need to Start from the Beginning");

      servers.receiver.respond("accept");
      expect(await reconcile()).toMatchObject({ tried: 1, accepted: 1, stillPending: 0 });
      expect(servers.receiver.requests.every(isSigned)).toBe(true);
      expect(await likesUsed(servers.app.url)).toBe(50);
      const replay = await visitor.like("Cxyz123abc_", "key");
      expect(replay.status).toBe(200);
      expect(new Set(receivedIds())).toEqual(new Set([referenceOf(replay)]));
    });

  test("a second request or reconcile sends no call while the first call waits", async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond({ status: 200, delayMs: 600 });
    const first = visitor.like();
    await servers.receiver.waitForRequests(1);
    const [second, report] = await Promise.all([visitor.like(), reconcile()]);
    expect(second).toMatchObject({ status: 409, body: { code: "in_progress" } });
    expect(report).toMatchObject({ tried: 0 });
    expect((await first).status).toBe(200);
    expect(servers.receiver.requests).toHaveLength(1);
  });
});

test("with DAILY_PACING=on, refuses an address that had an order until the next day, and serves another address", async () => {
  // Three orders a day. The first one is more than the quarter of the pace for addresses that had an order.
  const { url } = await servers.start({ database: 1, env: { DAILY_PACING: "on", DAILY_LIKE_LIMIT: "150" } });
  const [first, second, other] = await Promise.all([1, 2, 3].map(() => newVisitorInFlow(url)));
  Object.assign(second!.options, { address: first!.options.address, fingerprint: "second" });
  expect((await first!.like()).status).toBe(200);

  const { body: usage } = await first!.get("/api/instagram/daily-usage");
  const { resetsAt } = usage.dailyLimit as { resetsAt: string };
  const response = await second!.like();
  expect(response).toMatchObject({ status: 429, body: { code: "paced", nextLikesAt: resetsAt } });
  expect(response.body.message).toMatch(/Nothing was counted\.$/);
  const secondsLeft = (Date.parse(resetsAt) - Date.now()) / 1_000;
  expect(Math.abs(Number(response.headers.get("retry-after")) - secondsLeft)).toBeLessThan(10);
  const { body: status } = await second!.get("/api/instagram/status");
  expect(status).toMatchObject({ canRequest: false, reason: "paced", nextAvailable: resetsAt });

  expect((await other!.get("/api/instagram/status")).body).toMatchObject({ canRequest: true });
  const served = await other!.like();
  expect(served).toMatchObject({ status: 200, body: { dailyLimit: { likesRemaining: 50, reached: false } } });
});
