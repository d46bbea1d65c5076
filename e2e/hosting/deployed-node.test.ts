import { expect, test, useServers } from "@/testing/test";
import { deployedNodePath, ensureDeployedNode } from "@/scripts/lib/node-versions.mjs";
import { likesUsed, visitorAtStep3 } from "@/testing/visitor";

/* The standalone output in the Node version of the guides and the image. All other tests use the Node version of the machine. */

const servers = useServers({}, async (servers) => {
  expect(await ensureDeployedNode()).toBe(true);
  return { app: await servers.start({ build: "deployed", program: deployedNodePath, live: true }) };
});

test(
  "the deployed Node serves the flow, and completes a request after SIGTERM",
  { tag: "@slow" },
  async () => {
    const visitor = await visitorAtStep3(servers.app.url);
    expect((await visitor.like()).status).toBe(200);
    expect((await visitor.visit("/success")).html).not.toContain("You Need to Start from the Beginning");
    expect(await likesUsed(servers.app.url)).toBe(50);
    await visitor.startFlow();
    expect((await visitor.like()).body.code).toBe("cooldown");
    expect((await visitor.visit("/nothing-here")).status).toBe(404);

    servers.receiver.respond({ delayMs: 1_000 });
    const sent = servers.receiver.requests.length;
    const like = (await visitorAtStep3(servers.app.url)).like();
    await servers.receiver.waitForRequests(sent + 1);
    const toldAt = performance.now();
    const stopped = servers.app.stop();
    expect((await like).status).toBe(200);
    await stopped;
    expect(performance.now() - toldAt).toBeLessThan(5_000);
  },
);
