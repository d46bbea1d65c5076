import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "@/scripts/lib/processes.mjs";
import { expect, test, useServers } from "@/testing/test";
import type { AppServer } from "@/testing/servers/app-server";
import { type TestServers } from "@/testing/servers/test-servers";
import { postLink } from "@/testing/sample-posts";
import { startDeliveryService } from "@/testing/servers/delivery-service";
import { webhookSecret } from "@/testing/servers/live-delivery";
import { until } from "@/testing/until";
import { Visitor, referenceOf } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/* Rotations of secrets while visitors use the site, in the order of docs/runbook.md. */

type Age = "old" | "new";

const servers = useServers({}, async (servers) => ({ app: await startWith(servers, ["old"]) }));

/** Starts the product with these secrets, newest first. */
function startWith(servers: TestServers, ages: Age[], port?: number): Promise<AppServer> {
  const secrets = (name: string) =>
    ages.map((age) => `${name}-secret-of-the-tests-${age}-0123456789`).join(",");
  const env = { SESSION_SECRET: secrets("session"), VISITOR_HASH_SECRET: secrets("visitor") };
  return servers.start({ port, env });
}

async function restartWith(...ages: Age[]): Promise<void> {
  await servers.app.stop();
  servers.app = await startWith(servers, ages, servers.app.port);
}

const newVisitor = () => new Visitor(servers.app.url);
const withoutCookies = ({ options }: Visitor) => new Visitor(servers.app.url, options);

async function canRequest(visitor: Visitor): Promise<unknown> {
  return (await visitor.get("/api/instagram/status")).body.canRequest;
}

async function canOpenStep3(visitor: Visitor): Promise<boolean> {
  const { html } = await visitor.visit("/get-likes/");
  return !html.includes("You Need to Start from the Beginning");
}

test("does not affect visitors while both secrets are valid, and ends old flows afterwards", async () => {
  const served = newVisitor();
  await served.startFlow();
  expect((await served.like()).status).toBe(200);
  const [midway, late, solving] = [newVisitor(), newVisitor(), newVisitor()];
  for (const visitor of [midway, late]) {
    await visitor.startFlow();
    await visitor.visit("/verification/");
  }
  const token = await solving.solveCaptcha();

  await restartWith("new", "old");
  expect(await canOpenStep3(midway)).toBe(true);
  expect(await canOpenStep3(late)).toBe(true);
  expect((await midway.like()).status).toBe(200);
  // The old secret signed the challenge of this token.
  expect((await solving.post("/api/recaptcha/verify", { token, url: postLink })).status).toBe(200);
  await solving.details();
  await solving.visit("/verification/");
  // The server finds the cooldown by the hash with the old secret.
  expect(await canRequest(withoutCookies(served))).toBe(false);
  const again = withoutCookies(served);
  await again.startFlow();
  expect((await again.like()).body.code).toBe("cooldown");

  await restartWith("new");
  expect(await canOpenStep3(late)).toBe(false);
  expect((await late.like()).body.code).toBe("flow_required");
  // Cookies and records from the time of both secrets use the new secret.
  expect(await canOpenStep3(solving)).toBe(true);
  expect(await canRequest(withoutCookies(midway))).toBe(false);
  // Four hours have not passed, so the server finds this cooldown only by the rate-limit cookie.
  expect(await canRequest(withoutCookies(served))).toBe(true);
  expect(await canRequest(served)).toBe(false);
});

test("loses, refuses and doubles no order while the webhook secret changes", async () => {
  const secrets = { old: webhookSecret, new: `whsec_${Buffer.alloc(32, 3).toString("base64")}` };
  const service = await servers.keep(startDeliveryService());
  const startSite = (secret: string, port?: number) => {
    const env = { LIKE_WEBHOOK_URL: service.url, LIKE_WEBHOOK_SECRET: secret, RECONCILE_EVERY_SECONDS: "1" };
    return servers.start({ live: true, database: 1, port, env });
  };
  let site = await startSite(secrets.old);
  const [orders, unexpected]: [string[], unknown[]] = [[], []];
  let pending = 0;
  let stopped = false;
  const orderUntilStopped = async () => {
    while (!stopped) {
      await pause(50);
      const visitor = await newVisitorInFlow(site.url);
      // The site itself is away for a moment when it restarts.
      const response = await visitor.like().catch(() => undefined);
      if (response?.status === 200) orders.push(referenceOf(response));
      else if (response?.body.code === "order_pending") pending += 1;
      else if (response) unexpected.push(response.body);
    }
  };
  const visitors = Promise.all([1, 2, 3, 4].map(orderUntilStopped));
  const whileOrdersFlow = async () => {
    const before = orders.length;
    await until("more orders", () => orders.length > before + 10);
  };
  try {
    await whileOrdersFlow();
    for (const step of printedSteps()) {
      if (step === "site") {
        await site.stop();
        site = await startSite(secrets.new, site.port);
      } else {
        await service.kill();
        await service.start(step.replace("old", secrets.old).replace("new", secrets.new));
      }
      await whileOrdersFlow();
    }
  } finally {
    stopped = true;
    await visitors;
  }
  expect(unexpected).toEqual([]);
  await until("all orders are delivered", async () => {
    const delivered = (await service.exported()).map(({ id }) => id);
    return orders.every((id) => delivered.includes(id)) && delivered.length >= orders.length + pending;
  });
  expect(site.output()).not.toContain("HTTP 401");
});

/** Returns the steps of docs/runbook.md in their order: the names of the service's secrets, or "site" if the site changes. */
function printedSteps(): string[] {
  const runbook = readFileSync(join(root, "docs", "runbook.md"), "utf8");
  const [, list = ""] = /The \*\*webhook secret\*\*([^]*?)After a leak/.exec(runbook) ?? [];
  const steps = list.matchAll(/give the service (?:only )?`([\w,]+)`|Set `LIKE_WEBHOOK_SECRET`/gi);
  const found = Array.from(steps, ([, names = "site"]) => names);
  expect(found).toHaveLength(3);
  return found;
}
