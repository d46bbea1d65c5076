import { expect, test, useServers } from "@/testing/test";
import { liveDelivery } from "@/testing/servers/live-delivery";
import { runTool } from "@/testing/operator-tools";
import { healthToken, likesUsed, referenceOf, Visitor, visitorAtStep3 } from "@/testing/visitor";
import { linkOf } from "@/testing/sample-posts";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/* npm run ledger and the deep health check, beside a running site. */

const servers = useServers({ live: true, env: { HEALTH_TOKEN: healthToken } });

const ledger = (...args: string[]) =>
  runTool("ledger", args, { REDIS_URL: servers.redis.url, ...liveDelivery(servers.receiver) });
const order = async () => (await newVisitorInFlow(servers.app.url)).like();
const detailsOf = (visitor: Visitor) => visitor.get("/api/instagram/post-details");
const health = async () => (await new Visitor(servers.app.url).health()).body;

test("shows the budget, an order and open orders, and completes open orders after --yes", async () => {
  const accepted = referenceOf(await order());
  servers.receiver.respond("error");
  expect((await order()).body.code).toBe("order_pending");
  const { stdout: overview } = await ledger();
  expect(overview).toMatch(/Charged today {3}100 likes/);
  expect(overview).toMatch(/Left {12}99,900/);
  expect(overview).toMatch(/Open orders {5}1\n/);
  expect((await ledger("order", accepted.toLowerCase())).stdout).toMatch(
    new RegExp(`Order {11}${accepted}\\nState {11}accepted\\n[^]*Service's name {2}ref-${accepted}\\n`),
  );
  const missing = await ledger("order", "0000-0000-0000");
  expect(missing).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("There is no order"),
  });

  const { stdout: pending } = await ledger("pending");
  expect(pending).toMatch(/^[0-9A-Z-]{14} {2}pending .* tries: 1\n1 open order\n$/);
  expect((await health()).orders).toEqual({ open: 1, oldestAgeSeconds: expect.any(Number) });

  servers.receiver.respond("accept");
  const before = servers.receiver.requests.length;
  expect(await ledger("reconcile")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("add --yes"),
  });
  expect(servers.receiver.requests).toHaveLength(before);
  const forced = await ledger("reconcile", "--yes");
  expect(forced.stdout).toContain("Tried 1: 1 accepted, 0 refused, 0 still open. Abandoned: 0.");
  expect((await ledger("pending")).stdout).toBe("0 open orders\n");
  expect((await health()).orders).toEqual({ open: 0, oldestAgeSeconds: null });
});

test("changes today's limit of the running site after --yes, and records the change", async () => {
  expect(await ledger("limit", "150")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("Nothing was changed."),
  });
  for (const wrong of [["limit"], ["limit", "10"], ["limit", "many"], ["limit", "99.5"]])
    expect(await ledger(...wrong, "--yes")).toMatchObject({ status: 1, stdout: "" });
  const usage = async () =>
    (await new Visitor(servers.app.url).get("/api/instagram/daily-usage")).body.dailyLimit as object;
  expect(await usage()).toMatchObject({ totalLimit: 100_000 });

  const changed = await ledger("limit", "150", "--reason", "robots from one network", "--yes");
  expect(changed.status).toBe(0);
  expect(changed.stdout).toContain('"event":"limit changed","limitBefore":100000,"limitAfter":150');
  expect(changed.stdout).toContain("100,000 -> 150: robots from one network");
  expect(await usage()).toMatchObject({ totalLimit: 150, likesUsed: 100, likesRemaining: 50 });
  expect((await order()).status).toBe(200);
  expect((await order()).body).toMatchObject({
    code: "daily_limit",
    message: "Our daily API limit has been reached. Please try again tomorrow.",
  });
  expect((await health()).budget).toEqual({ likesUsed: 150, likesLeft: 0, totalLimit: 150 });

  expect((await ledger("limit", "configured", "--yes")).stdout).toContain("150 -> 100,000");
  expect((await order()).status).toBe(200);
  expect((await ledger("changes")).stdout).toMatch(
    /100,000 -> 150: robots from one network\n.*150 -> 100,000\n2 changes\n$/,
  );
});

test("blocks a post: refuses it at step 2 and its orders, closes its open order, and charges nothing", async () => {
  const post = { postId: "Blocked-1", type: "reel" } as const;
  const [before, after] = [
    await newVisitorInFlow(servers.app.url, post),
    await newVisitorInFlow(servers.app.url, post),
  ];
  servers.receiver.respond("error");
  expect((await before.like(post.postId)).body.code).toBe("order_pending");
  servers.receiver.respond("accept");
  for (const text of ["", "https://www.instagram.com/someone/", "not a code"])
    expect(await ledger("block", text)).toMatchObject({ status: 1, stdout: "" });
  const { stdout } = await ledger("block", "https://www.instagram.com/reel/Blocked-1/?igsh=1");
  expect(stdout).toBe("https://www.instagram.com/p/Blocked-1/ gets no likes from now on.\n");
  expect((await ledger("block", "Blocked-1")).stdout).toContain("was already blocked");
  expect((await ledger("blocked")).stdout).toBe("Blocked-1\n1 blocked post\n");

  const received = servers.receiver.requests.length;
  const charged = await likesUsed(servers.app.url);
  expect(await detailsOf(after)).toMatchObject({
    status: 200,
    body: { success: false, code: "post_blocked" },
  });
  expect(await after.like(post.postId)).toMatchObject({ status: 422, body: { code: "post_blocked" } });
  const withTail = await newVisitorInFlow(servers.app.url, { ...post, postId: `Blocked-1${"x".repeat(28)}` });
  expect((await detailsOf(withTail)).body.code).toBe("post_blocked");
  const otherCase = await newVisitorInFlow(servers.app.url, { ...post, postId: "blocked-1" });
  expect((await detailsOf(otherCase)).body).toMatchObject({ success: true });
  expect((await ledger("reconcile", "--yes")).stdout).toContain(
    "Tried 0: 0 accepted, 0 refused, 0 still open. Abandoned: 1.",
  );
  expect(servers.receiver.requests).toHaveLength(received);
  expect(await likesUsed(servers.app.url)).toBe(charged);

  expect((await ledger("unblock", "Blocked-1")).stdout).toContain("can get likes again");
  expect((await ledger("unblock", "Blocked-1")).stdout).toContain("was not blocked");
  expect((await after.like(post.postId)).status).toBe(200);
});

test("escapes control and format characters in texts of the service", async () => {
  servers.receiver.respond({ status: 200, body: { reference: "a\u009b31m\u202eb" } });
  const last = referenceOf(await order());
  const escaped = "a\\u009b31m\\u202eb";
  expect((await ledger("order", last)).stdout).toContain(escaped);
  expect((await ledger("csv")).stdout).toContain(escaped);
});

test("exports accepted orders as CSV, and escapes formulas in references of the service and in post codes", async () => {
  const before = (await ledger("csv")).stdout.split("\r\n");
  servers.receiver.respond({ status: 200, body: { reference: '=HYPERLINK("http://x","y")' } });
  referenceOf(await (await visitorAtStep3(servers.app.url, linkOf("-1-2"))).like("-1-2"));
  const last = referenceOf(await order());
  const lines = (await ledger("csv")).stdout.split("\r\n");
  expect(lines[0]).toBe("reference,made,accepted,type,post,likes,service_reference");
  expect(lines).toHaveLength(before.length + 2);
  expect(lines.at(-3)).toContain(",post,'-1-2,50,");
  expect(lines.at(-2)).toMatch(new RegExp(`^${last},.*Z,.*Z,post,Cxyz123abc_,50,`));
  expect(lines.at(-2)).toContain(`,"'=HYPERLINK(""http://x"",""y"")"`);
  expect((await ledger("csv", "--to", "2020-01-01")).stdout).toBe(`${lines[0]}\r\n`);
  const today = new Date().toISOString().slice(0, 10);
  for (const TZ of ["UTC", "Etc/GMT+12", "Etc/GMT-14"]) {
    const env = { REDIS_URL: servers.redis.url, ...liveDelivery(servers.receiver), TZ };
    expect((await runTool("ledger", ["csv", "--from", today, "--to", today], env)).stdout).toContain(last);
  }
  expect((await ledger("csv", "--from", "yesterday")).status).toBe(1);
});
