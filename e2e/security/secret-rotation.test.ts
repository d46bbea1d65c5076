import { expect, test, useServers } from "../support/test";
import type { AppServer } from "../support/servers/app-server";
import { type TestServers } from "../support/servers/test-servers";
import { postLink } from "../support/sample-posts";
import { Visitor } from "../support/visitor";

/* Both secrets are changed in the middle of visits, with a time in which the old and the new one hold. */

const session = {
  old: "session-secret-before-the-rotation-012",
  new: "session-secret-after-the-rotation-0123",
};
const visitorHash = {
  old: "visitor-secret-before-the-rotation-012",
  new: "visitor-secret-after-the-rotation-0123",
};

const servers = useServers({}, async (servers) => ({ app: await startWith(servers, ["old"]) }));

/** Starts the site with these secrets, newest first. */
function startWith(servers: TestServers, names: ("old" | "new")[], port?: number): Promise<AppServer> {
  const env = {
    SESSION_SECRET: names.map((name) => session[name]).join(","),
    VISITOR_HASH_SECRET: names.map((name) => visitorHash[name]).join(","),
  };
  return servers.start({ port, env });
}

/** Restarts it at its address. */
async function runWith(...names: ("old" | "new")[]): Promise<void> {
  await servers.app.stop();
  servers.app = await startWith(servers, names, servers.app.port);
}

const newVisitor = () => new Visitor(servers.app.url);

/** The same person at the same browser, who has deleted all cookies. */
const withoutCookies = ({ options }: Visitor) => new Visitor(servers.app.url, options);

async function canRequest(visitor: Visitor): Promise<unknown> {
  return (await visitor.get("/api/instagram/status")).body.canRequest;
}

async function seesLastStep(visitor: Visitor): Promise<boolean> {
  const cookies = new Map(visitor.cookies);
  const { html } = await visitor.visit("/get-likes/");
  // Looking must not renew the cookie's seal.
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return !html.includes("You Need to Start from the Beginning");
}

test("goes unnoticed by visitors while both keys hold, and ends old flows when the old key is dropped", async () => {
  const served = newVisitor();
  await served.startFlow();
  expect((await served.like()).status).toBe(200);
  const [midway, late, solving] = [newVisitor(), newVisitor(), newVisitor()];
  for (const visitor of [midway, late]) {
    await visitor.startFlow();
    await visitor.visit("/verification/");
  }
  const token = await solving.solveCaptcha();

  await runWith("new", "old");
  expect(await seesLastStep(midway)).toBe(true);
  expect(await seesLastStep(late)).toBe(true);
  expect((await midway.like()).status).toBe(200);
  // The check was begun under the old key.
  expect((await solving.post("/api/recaptcha/verify", { token, url: postLink })).status).toBe(200);
  await solving.details();
  await solving.visit("/verification/");
  // Found under the old hash, without any cookie's help.
  expect(await canRequest(withoutCookies(served))).toBe(false);
  const again = withoutCookies(served);
  await again.startFlow();
  expect((await again.like()).body.code).toBe("cooldown");

  await runWith("new");
  expect(await seesLastStep(late)).toBe(false);
  expect((await late.like()).body.code).toBe("flow_required");
  // What was sealed and kept during the overlap was written with the new keys.
  expect(await seesLastStep(solving)).toBe(true);
  expect(await canRequest(withoutCookies(midway))).toBe(false);
  // Dropped before the 4 hours were over: only the rate-limit cookie still tells.
  expect(await canRequest(withoutCookies(served))).toBe(true);
  expect(await canRequest(served)).toBe(false);
});
