import { expect, test, useServers } from "@/testing/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { functionTimeoutSeconds } from "@/lib/config/deployment";
import { maxUserAgentLength } from "@/lib/config/limits";
import { indexablePages } from "@/lib/http/pages";
import { serverlessBuilds } from "@/testing/servers/builds";
import { liveDelivery } from "@/testing/servers/live-delivery";
import { linkOf, postCode } from "@/testing/sample-posts";
import { startServerlessSite, type ServerlessOptions } from "@/testing/servers/serverless-site";
import { runTool } from "@/testing/operator-tools";
import { startUpstashServer } from "@/testing/servers/upstash-server";
import { healthToken, Visitor, referenceOf, visitorAtStep3 } from "@/testing/visitor";
import { idOf } from "@/testing/servers/webhook-receiver";

/* The output of the serverless host's own build, on an emulated host (e2e/serverless), over https and Upstash's REST API. */

/** Part of the prerendered page /get-likes, which only visitors of the flow may open. */
const guardedContent = 'data-island="flow/get-likes"';

const servers = useServers({}, async (servers) => {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  const start = (options: Partial<ServerlessOptions> = {}) =>
    servers.keep(startServerlessSite({ upstash, ...options }));
  const app = await start({ instances: 2, freezes: true });
  return { upstash, serve: start, app };
});

test("serves home and content pages as prerendered, and lets no browser cache them", async () => {
  for (const { path } of indexablePages) {
    const { status, headers } = await new Visitor(servers.app.url).visit(path);
    const kept = [headers.get("x-vercel-cache"), headers.get("cache-control")];
    expect([path, status, ...kept]).toEqual([
      path,
      200,
      "PRERENDER",
      expect.stringMatching(/^public, max-age=0(?:, must-revalidate)?$/),
    ]);
  }
});

test("continues the flow with frozen instances, and with another instance for each request", async () => {
  const visitor = await visitorAtStep3(servers.app.url);
  // Longer than servers keep an idle connection.
  await pause(6_000);
  const answer = await visitor.like();
  expect(answer.status).toBe(200);
  const { body } = await visitor.get("/api/instagram/receipt");
  expect(body.order).toMatchObject({ reference: referenceOf(answer) });
  expect(await visitor.like()).toMatchObject({ status: 429, body: { code: "cooldown" } });
});

for (const [name, path] of [
  ["cron", "/_host/cron"],
  ["a visit", "/api/instagram/daily-usage"],
] as const)
  test(`responds in time if the delivery service hangs, and ${name} finishes the order under the same id`, async () => {
    const env = { ...liveDelivery(servers.receiver), LIKE_WEBHOOK_TIMEOUT_MS: "1000" };
    const app = await servers.serve({ env });
    const visitor = await visitorAtStep3(app.url);
    servers.receiver.respond("hang");
    const known = servers.receiver.requests.length;
    const startedAt = performance.now();
    expect(await visitor.like()).toMatchObject({ status: 503, body: { code: "order_pending" } });
    expect(performance.now() - startedAt).toBeLessThan(functionTimeoutSeconds * 1_000);
    servers.receiver.respond({ status: 200, body: { reference: "done" } });
    // The lease of the first attempt must be over, and visits start one run a minute.
    await pause(9_000);
    await servers.store.del("{likes}:v1:visit");
    expect((await new Visitor(app.url).get(path)).status).toBe(200);
    await servers.receiver.waitForRequests(known + 2);
    const ids = servers.receiver.requests.slice(known).map(idOf);
    expect(ids).toEqual([ids[0], ids[0]]);
    const status = async () => (await visitor.get("/api/instagram/status")).body;
    await expect.poll(status).toMatchObject({ canRequest: false });
  });

for (const headers of [
  { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { "x-matched-path": "/get-likes", "x-middleware-next": "1" },
  { rsc: "1", "next-router-prefetch": "1" },
  { "x-prerender-revalidate": "guessed" },
  { "x-now-route-matches": "1=get-likes" },
] as Record<string, string>[])
  test(`opens no guarded page and orders nothing for ${JSON.stringify(headers)}`, async () => {
    const stranger = new Visitor(servers.app.url);
    for (const path of ["/get-likes", "/get-likes/", "/get-likes.rsc", "/success"]) {
      const { html } = await stranger.visit(path, headers);
      expect([path, html.includes(guardedContent)]).toEqual([path, false]);
    }
    const body = JSON.stringify({ instagramUrl: linkOf(postCode) });
    const answer = await stranger.fetch("/api/instagram/like", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    // The host may find no function for the path.
    expect([403, 404, 405]).toContain(answer.status);
  });

// The regular expressions of Next.js take long for a long User-Agent, and no HTTP guard runs here.
test("cuts a User-Agent after 512 characters", async () => {
  const [visitor, again] = ["first", "second"].map((end) => {
    const userAgent = "-".repeat(maxUserAgentLength) + end;
    return new Visitor(servers.app.url, { address: "198.51.100.7", fingerprint: undefined, userAgent });
  });
  await visitor!.goToStep3();
  expect((await visitor!.like()).status).toBe(200);
  expect((await again!.get("/api/instagram/status")).body).toMatchObject({ reason: "cooldown" });
});

test("starts with only the variables of the guide, and the doctor finds no problem", async () => {
  const guide = readFileSync(join(__dirname, "..", "..", "docs", "deploy-serverless.md"), "utf8");
  const [table = ""] = /\| Variable[^]*?\n\n/.exec(guide) ?? [];
  const names = [...table.matchAll(/^\s*\| ([^|]+)\|/gm)].flatMap(([, cell = ""]) =>
    Array.from(cell.matchAll(/`([A-Z_]+)`/g), ([, name = ""]) => name),
  );
  const app = await servers.serve({ overwritesAddress: true, env: { HEALTH_TOKEN: healthToken } });
  const values: Record<string, string> = {
    ...serverlessBuilds.production,
    SITE_URL: app.url,
    SUPPORT_EMAIL: "help@likes.example",
    UPSTASH_REDIS_REST_URL: servers.upstash.url,
    UPSTASH_REDIS_REST_TOKEN: servers.upstash.token,
    HEALTH_TOKEN: healthToken,
  };
  // The same variables as in the file of `vercel env pull`.
  const env = Object.fromEntries(names.map((name) => [name, values[name]]));
  expect(Object.values(env)).not.toContain(undefined);
  const own = { VERCEL: "1", VERCEL_ENV: "production", NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const { status, stdout } = await runTool("doctor", ["--from", app.url], { ...env, ...own });
  expect([status, stdout]).toEqual([0, expect.stringContaining("0 problems")]);
});
