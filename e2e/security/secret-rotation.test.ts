import { expect, test, useServers } from "@/testing/test";
import type { AppServer } from "@/testing/servers/app-server";
import { type TestServers } from "@/testing/servers/test-servers";
import { postLink } from "@/testing/sample-posts";
import { Visitor } from "@/testing/visitor";

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
