import { serverlessBuilds } from "../support/servers/builds";
import { liveDelivery } from "../support/servers/live-delivery";
import { useRig } from "../support/rig";
import { startServerlessSite } from "../support/servers/serverless-site";
import { startUpstashServer } from "../support/servers/upstash-server";
import { Visitor, visitorAtStep3 } from "../support/visitor";

/* A preview deployment of a project that is set to deliver. */

const own = `https://${serverlessBuilds.preview.VERCEL_URL}`;

const rig = useRig({}, async (rig) => {
  const upstash = await rig.keep(startUpstashServer(rig.redis.url));
  const env = liveDelivery(rig.receiver);
  return { app: await rig.keep(startServerlessSite({ build: "preview", upstash, env })) };
});

it("delivers nothing although the project's settings say so, and says that it is a demo", async () => {
  const visitor = await visitorAtStep3(rig.app.url);
  expect((await visitor.like()).status).toBe(200);
  expect(rig.receiver.requests).toEqual([]);
  for (const path of ["/", "/faq", "/success"]) {
    expect((await visitor.visit(path)).html).toContain("Demo mode: no likes are sent to Instagram.");
  }
});

it("is kept by no search engine, and names its own address as the canonical one", async () => {
  for (const path of ["/", "/faq", "/get-likes", "/robots.txt", "/api/health"]) {
    const { headers, html } = await new Visitor(rig.app.url).visit(path);
    expect([path, headers.get("x-robots-tag")]).toEqual([path, "noindex"]);
    const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
    if (canonical) expect(new URL(canonical).origin).toBe(own);
  }
});
