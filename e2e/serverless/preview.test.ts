import { expect, test, useServers } from "@/testing/test";
import { serverlessBuilds } from "@/testing/servers/builds";
import { liveDelivery } from "@/testing/servers/live-delivery";
import { startServerlessSite } from "@/testing/servers/serverless-site";
import { startUpstashServer } from "@/testing/servers/upstash-server";
import { Visitor, visitorAtStep3 } from "@/testing/visitor";

const previewUrl = `https://${serverlessBuilds.preview.VERCEL_URL}`;

const servers = useServers({}, async (servers) => {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  const env = liveDelivery(servers.receiver);
  return { app: await servers.keep(startServerlessSite({ build: "preview", upstash, env })) };
});

test("delivers nothing on a preview of a live site, and shows the demo banner", async () => {
  const visitor = await visitorAtStep3(servers.app.url);
  expect((await visitor.like()).status).toBe(200);
  expect(servers.receiver.requests).toEqual([]);
  for (const path of ["/", "/faq", "/success"]) {
    expect((await visitor.visit(path)).html).toContain("Demo mode: no likes are sent to Instagram.");
  }
});

test("is excluded from search engines, and has its own address in canonical URLs", async () => {
  for (const path of ["/", "/faq", "/get-likes", "/robots.txt", "/api/health"]) {
    const { headers, html } = await new Visitor(servers.app.url).visit(path);
    expect([path, headers.get("x-robots-tag")]).toEqual([path, "noindex"]);
    const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
    if (canonical) expect(new URL(canonical).origin).toBe(previewUrl);
  }
});
