import { expect, test, useServers } from "@/testing/test";
import { parseLog } from "../security/log-lines";
import { isSigned, type WebhookReply } from "@/testing/servers/webhook-receiver";
import { likesUsed, referenceOf, Visitor, type VisitorOptions } from "@/testing/visitor";

const cronSecret = "cron-secret-of-the-tests";

const servers = useServers({ live: true, env: { LIKE_WEBHOOK_TIMEOUT_MS: "1000", CRON_SECRET: cronSecret } });

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

async function reconcile(): Promise<Record<string, unknown>> {
  const response = await fetch(`${servers.app.url}/api/cron/reconcile`, {
    method: "POST",
    headers: { authorization: `Bearer ${cronSecret}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const receivedIds = () => servers.receiver.requests.map((request) => request.headers["webhook-id"]);
const cooldown = { status: 429, body: { success: false, code: "cooldown" } };

test("sends one signed webhook call with the order, charges the day, and starts a cooldown of four hours", async () => {
  const visitor = await startedVisitor();
  const { status, body } = await visitor.like();
  expect(status).toBe(200);
  const order = body.order as { reference: string };
  expect(order).toMatchObject({ postId: "Cxyz123abc_", likes: 50 });
  expect(body.dailyLimit).toMatchObject({ likesUsed: 50, totalLimit: 100_000 });
  expect(visitor.cookies.has("rate-limit")).toBe(true);
  const later = await visitor.get("/api/instagram/status");
  expect(later.body).toMatchObject({ canRequest: false, reason: "cooldown", pending: false });
  const again = await visitor.like();
  expect(again).toMatchObject(cooldown);
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

for (const [title, reply] of [
  ["with other JSON", { body: { reference: { no: "text" } } }],
  ["without content", { status: 204 }],
] as [string, WebhookReply][])
  test(`a successful response ${title} accepts the order`, async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond(reply);
    expect((await visitor.like()).status).toBe(200);
  });

for (const key of [undefined, "key-1"])
  test(`creates one order for 50 simultaneous requests ${key ? "with one" : "without an"} Idempotency-Key`, async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond({ status: 200, delayMs: 200 });
    const responses = await Promise.all(Array.from({ length: 50 }, () => visitor.like("Cxyz123abc_", key)));
    const others = responses.filter(({ status }) => ![200, 409, key ? 200 : 429].includes(status));
    // A server that is too busy says so.
    const busy = key ? ["order_pending", "service_unavailable"] : [];
    expect(others.filter(({ body }) => !busy.includes(body.code ?? ""))).toEqual([]);
    if (key) {
      const replay = await visitor.like("Cxyz123abc_", key);
      expect(replay.status).toBe(200);
      expect(referenceOf(replay)).toBe(receivedIds()[0]);
    } else {
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    }
    expect(servers.receiver.requests).toHaveLength(1);
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

test.describe("refuses a second order within the cooldown", () => {
  for (const [title, returnAs] of [
    [
      "without the cookies and with another user agent",
      ({ options }: Visitor) => startedVisitor({ ...options, userAgent: "another browser" }),
    ],
    [
      "from another address with the same cookie",
      async ({ cookies }: Visitor) => {
        const visitor = await startedVisitor({ fingerprint: "another" });
        visitor.cookies.set("rate-limit", cookies.get("rate-limit") ?? "");
        return visitor;
      },
    ],
  ] as const)
    test(title, async () => {
      const visitor = await startedVisitor();
      await visitor.like();
      const returning = await returnAs(visitor);
      expect((await returning.get("/api/instagram/status")).body).toMatchObject({ canRequest: false });
      expect(await returning.like()).toMatchObject(cooldown);
      expect(servers.receiver.requests).toHaveLength(1);
    });
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
    const { body } = await visitor.get("/api/instagram/status");
    expect(body).toMatchObject({ canRequest: true, pending: false });
    servers.receiver.respond("accept");
    expect((await visitor.like()).status).toBe(200);
  });

  // 401, 403, 404 and 410 come from a wrong secret or address. They do not refuse the post. "junk" is a page with 200.
  for (const reply of ["error", "redirect", "hang", "drop", "cut", "junk", 401, 403, 404, 410] as const)
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
      if (reply === "junk")
        expect(attempt?.reason).toMatch(/^HTTP 200 with a body that is neither empty nor JSON/);
      // The server follows no redirect.
      expect(servers.receiver.requests).toHaveLength(1);
      expect(await likesUsed(servers.app.url)).toBe(50);
      // A pending order is neither a cooldown nor a success.
      const { body } = await visitor.get("/api/instagram/status");
      expect(body).toMatchObject({ canRequest: true, pending: true });
      expect((await visitor.visit("/success")).html).toContain("You Need to Start from the Beginning");

      servers.receiver.respond("accept");
      expect(await reconcile()).toMatchObject({ tried: 1, accepted: 1, stillPending: 0 });
      expect(new Set(receivedIds()).size).toBe(1);
      expect(servers.receiver.requests.every(isSigned)).toBe(true);
      expect(await likesUsed(servers.app.url)).toBe(50);
      const replay = await visitor.like("Cxyz123abc_", "key");
      expect(replay.status).toBe(200);
      expect(referenceOf(replay)).toBe(receivedIds()[0]);
    });

  test("another request of the visitor resumes the same order", async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond("error");
    await visitor.like();
    servers.receiver.respond("conflict");
    expect((await visitor.like()).status).toBe(200);
    expect(new Set(receivedIds()).size).toBe(1);
    expect(await likesUsed(servers.app.url)).toBe(50);
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
