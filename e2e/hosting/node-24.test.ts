import { expect, test, useServers } from "@/testing/test";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { deployedNode, deployedNodePath } from "@/scripts/lib/node-versions.mjs";
import { Visitor, likesUsed, referenceOf, visitorAtStep3 } from "@/testing/visitor";

/* The standalone output in the Node version of the guides and the image. All other tests use the Node version of the machine. */

const servers = useServers({}, async (servers) => {
  if (!existsSync(deployedNodePath)) {
    throw new Error(`There is no Node ${deployedNode}: npm run verify fetches it to ${deployedNodePath}.`);
  }
  const live = { live: true, env: { LIKE_WEBHOOK_TIMEOUT_MS: "3000" } };
  return { app: await servers.start({ build: "deployed", program: deployedNodePath, ...live }) };
});

test("the program has the version in its name", () => {
  expect(execFileSync(deployedNodePath, ["--version"], { encoding: "utf8" }).trim()).toBe(`v${deployedNode}`);
});

test("a visitor gets one order, its receipt and a cooldown", async () => {
  servers.receiver.respond("accept");
  const visitor = await visitorAtStep3(servers.app.url);
  const accepted = await visitor.like();
  expect([accepted.status, referenceOf(accepted)]).toEqual([200, expect.any(String)]);
  expect((await visitor.visit("/success")).html).not.toContain("You Need to Start from the Beginning");
  expect(await likesUsed(servers.app.url)).toBe(50);
  await visitor.visit("/");
  await visitor.startFlow();
  expect((await visitor.like()).body.code).toBe("cooldown");
  expect((await new Visitor(servers.app.url).visit("/nothing-here")).status).toBe(404);
});

test("the process completes a request for likes after SIGTERM, and ends in time", async () => {
  servers.receiver.respond({ delayMs: 1_000 });
  const visitor = await visitorAtStep3(servers.app.url);
  const sent = servers.receiver.requests.length;
  const like = visitor.like();
  while (servers.receiver.requests.length === sent) await new Promise((resolve) => setTimeout(resolve, 10));
  const toldAt = performance.now();
  const left = servers.app.stop();
  expect((await like).status).toBe(200);
  await left;
  expect(performance.now() - toldAt).toBeLessThan(5_000);
});
