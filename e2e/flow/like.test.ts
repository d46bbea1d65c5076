import { expect, test, useServers } from "../support/test";
import { likesUsed, referenceOf, Visitor, type VisitorOptions } from "../support/visitor";

const cronSecret = "cron-secret-of-the-tests";

const servers = useServers({ live: true, env: { LIKE_WEBHOOK_TIMEOUT_MS: "1000", CRON_SECRET: cronSecret } });

test.beforeEach(async () => {
  await servers.store.flushall();
  servers.receiver.requests.length = 0;
  servers.receiver.respond("accept");
});

const newVisitor = (options?: VisitorOptions) => new Visitor(servers.app.url, options);

/** Somebody whose post is verified. */
async function startedVisitor(options?: VisitorOptions): Promise<Visitor> {
  const visitor = newVisitor(options);
  await visitor.startFlow();
  return visitor;
}

/** Runs reconcile by the cron route. */
async function reconcile(): Promise<Record<string, unknown>> {
  const response = await fetch(`${servers.app.url}/api/cron/reconcile`, {
    method: "POST",
    headers: { authorization: `Bearer ${cronSecret}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const receivedIds = () => servers.receiver.requests.map((request) => request.headers["webhook-id"]);

test.describe("an accepted request", () => {
  test("makes one signed call with the order as the ruling says", async () => {
    const visitor = await startedVisitor();
    const answer = await visitor.like();
    expect(answer.status).toBe(200);
    const order = answer.body.order as { reference: string; postId: string; likes: number };
    expect(order).toMatchObject({ postId: "Cxyz123abc_", likes: 50 });
    expect(answer.body.dailyLimit).toMatchObject({ likesUsed: 50, totalLimit: 100_000 });
    expect(servers.receiver.requests).toHaveLength(1);
    const [call] = servers.receiver.requests;
    expect(call?.verified).toBe(true);
    expect(call?.headers["webhook-id"]).toBe(order.reference);
    expect(JSON.parse(call?.body ?? "")).toMatchObject({
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
    expect(visitor.cookies.has("rate-limit")).toBe(true);
  });

  test("starts a cooldown of four hours", async () => {
    const visitor = await startedVisitor();
    await visitor.like();
    const status = await visitor.get("/api/instagram/status");
    expect(status.body).toMatchObject({ canRequest: false, reason: "cooldown", pending: false });
    const again = await visitor.like();
    expect(again).toMatchObject({ status: 429, body: { success: false, code: "cooldown" } });
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(14_390);
    expect(servers.receiver.requests).toHaveLength(1);
    expect(await likesUsed(servers.app.url)).toBe(50);
  });

  test("is one order for 50 identical requests at once", async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond({ status: 200, delayMs: 200 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => visitor.like()));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect(count(200)).toBe(1);
    expect(count(409) + count(429)).toBe(49);
    expect(new Set(receivedIds()).size).toBe(1);
    expect(await likesUsed(servers.app.url)).toBe(50);
  });

  test("is one order for 50 requests at once under one Idempotency-Key, and its outcome is replayed", async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond({ status: 200, delayMs: 200 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => visitor.like("Cxyz123abc_", "key-1")));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const replay = await visitor.like("Cxyz123abc_", "key-1");
    expect(replay.status).toBe(200);
    expect(referenceOf(replay)).toBe(receivedIds()[0]);
    expect(servers.receiver.requests).toHaveLength(1);
  });

  test("is refused for another post under the same Idempotency-Key, or for a post that was not verified", async () => {
    const visitor = await startedVisitor();
    await visitor.like("Cxyz123abc_", "key-2");
    await visitor.startFlow("Other");
    expect(await visitor.like("Other", "key-2")).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
    expect(await visitor.like("Unverified")).toMatchObject({ status: 409, body: { code: "post_mismatch" } });
  });
});

test.describe("a cooldown is not evaded", () => {
  test("by clearing cookies", async () => {
    const visitor = await startedVisitor();
    await visitor.like();
    const cleared = await startedVisitor(visitor.options);
    expect(await cleared.like()).toMatchObject({ status: 429, body: { code: "cooldown" } });
  });

  test("by another user agent with the same fingerprint", async () => {
    const visitor = await startedVisitor();
    await visitor.like();
    const disguised = await startedVisitor({ ...visitor.options, userAgent: "another browser" });
    expect(await disguised.like()).toMatchObject({ status: 429, body: { code: "cooldown" } });
  });

  test("by another address with the same cookie", async () => {
    const visitor = await startedVisitor();
    await visitor.like();
    const moved = newVisitor({ fingerprint: "another" });
    moved.cookies.set("rate-limit", visitor.cookies.get("rate-limit") ?? "");
    expect((await moved.get("/api/instagram/status")).body).toMatchObject({ canRequest: false });
    await moved.startFlow();
    expect(await moved.like()).toMatchObject({ status: 429, body: { code: "cooldown" } });
  });

  test("by replaying the captcha check's flow from elsewhere", async () => {
    const visitor = await startedVisitor();
    const flow = visitor.cookies.get("flow") ?? "";
    await visitor.like();
    const replaying = newVisitor({ fingerprint: "another" });
    replaying.cookies.set("flow", flow);
    expect(await replaying.like()).toMatchObject({ status: 403, body: { code: "flow_required" } });
    expect(servers.receiver.requests).toHaveLength(1);
  });

  test("by forged proxy headers: only the trusted one counts", async () => {
    const visitor = await startedVisitor();
    await visitor.like();
    const forging = await startedVisitor(visitor.options);
    const answer = await forging.post(
      "/api/instagram/like",
      { instagramUrl: "https://www.instagram.com/p/Cxyz123abc_/" },
      { "x-forwarded-for": "1.2.3.4", "x-socket-address": "1.2.3.4", forwarded: "for=1.2.3.4" },
    );
    expect(answer.status).toBe(429);
  });
});

test.describe("a receiver that does not accept", () => {
  test("refuses with its own words, and everything is given back", async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond({ status: 422, body: { message: "This post breaks our\nrules." } });
    expect(await visitor.like()).toMatchObject({
      status: 422,
      body: { code: "delivery_refused", message: "This post breaks our rules." },
    });
    expect(await likesUsed(servers.app.url)).toBe(0);
    expect((await visitor.get("/api/instagram/status")).body).toMatchObject({
      canRequest: true,
      pending: false,
    });
    servers.receiver.respond("accept");
    expect((await visitor.like()).status).toBe(200);
  });

  for (const reply of ["error", "redirect", "hang", "drop"] as const)
    test(`leaves the order pending when it answers with: ${reply}; reconcile finishes it under the same id`, async () => {
      const visitor = await startedVisitor();
      servers.receiver.respond(reply);
      const answer = await visitor.like("Cxyz123abc_", "key");
      expect(answer).toMatchObject({ status: 503, body: { success: false, code: "order_pending" } });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await likesUsed(servers.app.url)).toBe(50);
      // Pending is neither cooldown nor success: the visitor may come back to it.
      expect((await visitor.get("/api/instagram/status")).body).toMatchObject({
        canRequest: true,
        pending: true,
      });
      expect((await visitor.visit("/success")).html.includes("You Need to Start from the Beginning")).toBe(
        true,
      );

      servers.receiver.respond("accept");
      expect(await reconcile()).toMatchObject({ tried: 1, accepted: 1, stillPending: 0 });
      expect(new Set(receivedIds()).size).toBe(1);
      expect(servers.receiver.requests.at(-1)?.verified).toBe(true);
      expect(await likesUsed(servers.app.url)).toBe(50);
      // Asking again under the key tells the visitor what has become of it.
      const replay = await visitor.like("Cxyz123abc_", "key");
      expect(replay.status).toBe(200);
      expect(referenceOf(replay)).toBe(receivedIds()[0]);
    });

  test("may be asked again by the same visitor, who resumes the same order", async () => {
    const visitor = await startedVisitor();
    servers.receiver.respond("error");
    await visitor.like();
    servers.receiver.respond("conflict");
    const resumed = await visitor.like();
    expect(resumed.status).toBe(200);
    expect(new Set(receivedIds()).size).toBe(1);
    expect(await likesUsed(servers.app.url)).toBe(50);
  });

  test("is not asked by two at once", async () => {
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

test.describe("the cron route", () => {
  test("asks for its token", async () => {
    expect((await fetch(`${servers.app.url}/api/cron/reconcile`)).status).toBe(401);
    const wrong = await fetch(`${servers.app.url}/api/cron/reconcile`, {
      headers: { authorization: "Bearer wrong" },
    });
    expect(wrong.status).toBe(401);
  });
});
