import { expect, test, useServers } from "../support/test";
import { serverlessBuilds } from "../support/servers/builds";
import { liveDelivery } from "../support/servers/live-delivery";
import { startServerlessSite } from "../support/servers/serverless-site";
import { startUpstashServer } from "../support/servers/upstash-server";
import { Visitor, visitorAtStep3 } from "../support/visitor";

/* A preview deployment of a project that is set to deliver. */

const own = `https://${serverlessBuilds.preview.VERCEL_URL}`;

const servers = useServers({}, async (servers) => {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  const env = liveDelivery(servers.receiver);
  return { app: await servers.keep(startServerlessSite({ build: "preview", upstash, env })) };
});

test("delivers nothing although the project's settings say so, and says that it is a demo", async () => {
  const visitor = await visitorAtStep3(servers.app.url);
  expect((await visitor.like()).status).toBe(200);
  expect(servers.receiver.requests).toEqual([]);
  for (const path of ["/", "/faq", "/success"]) {
    expect((await visitor.visit(path)).html).toContain("Demo mode: no likes are sent to Instagram.");
  }
});

test("is kept by no search engine, and names its own address as the canonical one", async () => {
  for (const path of ["/", "/faq", "/get-likes", "/robots.txt", "/api/health"]) {
    const { headers, html } = await new Visitor(servers.app.url).visit(path);
    expect([path, headers.get("x-robots-tag")]).toEqual([path, "noindex"]);
    const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
    if (canonical) expect(new URL(canonical).origin).toBe(own);
  }
});
