import { expect, test } from "@/testing/test";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accepts, freePort } from "@/scripts/lib/ports.mjs";
import { Webhook } from "standardwebhooks";
import { createOrderPayload } from "@/lib/server/delivery/delivery";
import { webhookSecret } from "@/testing/servers/live-delivery";
import { postCode } from "@/testing/sample-posts";
import { ctrlC, openTerminal, type Terminal } from "./terminal";
import { referenceOf, Visitor, visitorAtStep3 } from "@/testing/visitor";

/* npm run quickstart -- --live, typed in a clone. */

const root = join(__dirname, "..", "..");
const banner = "a local trial: orders go to the example service on this machine, no likes are sent";
const buildTimeoutMs = 110_000;

let clone: string;
/** The build contains the port, so another port would need another build. */
let port: number;
let terminal: Terminal | undefined;

test.beforeAll(async () => {
  clone = makeClone();
  port = await freePort();
});
test.afterAll(async () => {
  await terminal?.stop();
  rmSync(clone, { recursive: true, force: true });
});

async function quickstart(options = ""): Promise<Terminal> {
  const { PATH, HOME } = process.env;
  const own = { PORT: String(port), LIKE_WEBHOOK_SECRET: webhookSecret };
  // Skips the check of the types.
  const env = { PATH, HOME, BUILD_TYPES: "checked", ...own };
  terminal = openTerminal(`npm run quickstart -- --live ${options}`, { cwd: clone, env });
  return terminal;
}

test("delivers an order to the example service, which rejects a repetition; Ctrl-C stops everything", async () => {
  const { shows, type, ended } = await quickstart();
  await shows(/real, consenting people[^]*Type yes if you make it: /);
  type("yes\n");
  await shows(/Ctrl-C stops everything\./, buildTimeoutMs);
  const [, site = ""] = await shows(/Open +(http:\/\/\S+)/);
  const [, service = ""] = await shows(/takes orders at (http:\/\/\S+\/likes)/);
  const [, redis = ""] = await shows(/Redis +127\.0\.0\.1:(\d+)/);
  for (const path of ["/", "/faq", "/get-likes/"])
    expect((await new Visitor(site).visit(path)).html).toContain(banner);

  expect(await accepts(port, "127.0.0.2")).toBe(false);
  const { stdout, stderr } = spawnSync("npm", ["run", "--silent", "doctor"], {
    cwd: clone,
    encoding: "utf8",
  });
  expect(stderr).toBe(`Site ${site}, Redis 127.0.0.1:${redis}\n`);
  for (const check of ["configuration", "redis writes", "delivery"])
    expect(stdout).toMatch(new RegExp(`^ok +${check}`, "m"));

  const visitor = await visitorAtStep3(site);
  const reference = referenceOf(await visitor.like());
  expect(list()).toMatch(new RegExp(`^${reference} .* 50 likes for the post .*/${postCode}/\\n1 open\\n$`));
  expect((await repeat(service, reference)).status).toBe(409);
  expect(list()).toContain("\n1 open\n");

  type(ctrlC);
  await ended();
  const ports = [new URL(site).port, new URL(service).port, redis].map(Number);
  expect(await Promise.all(ports.map((port) => accepts(port)))).toEqual([false, false, false]);
});

test("listens on another address if asked", async () => {
  const { shows, type, ended } = await quickstart("--host 0.0.0.0");
  await shows(/Type yes if you make it: /);
  type("yes\n");
  await shows(/need https for the captcha/, buildTimeoutMs);
  expect(await accepts(port, "127.0.0.2")).toBe(true);
  type(ctrlC);
  await ended();
});

test("requires a yes for each run", async () => {
  const { shows, type, ended, screen } = await quickstart();
  await shows(/Type yes if you make it: /);
  type("y\n");
  expect(await ended()).toBe(1);
  expect(screen()).toContain("Not acknowledged: nothing was started.");
  expect(screen()).not.toContain("takes orders at");
});

test("refuses to start without a terminal", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/serve.mjs", "--live"], {
    cwd: clone,
    env: { ...process.env, PORT: "", LIKE_DELIVERY_ACKNOWLEDGED: "yes" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining("there is no terminal here")]);
});

/** Copies this checkout with its npm packages and the cache of its last build. */
function makeClone(): string {
  const folder = mkdtempSync(join(tmpdir(), "clone-"));
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  for (const packages of ["node_modules", "examples/delivery-service/node_modules"]) {
    const [from, to] = [join(root, packages), join(folder, packages)];
    // Hard links save time and space, but need the same file system.
    if (spawnSync("cp", ["-al", from, to]).status !== 0) {
      rmSync(to, { recursive: true, force: true });
      execFileSync("cp", ["-a", from, to]);
    }
  }
  const cache = join(".next", "cache");
  if (existsSync(join(root, cache))) cpSync(join(root, cache), join(folder, cache), { recursive: true });
  return folder;
}

/** Returns the output of the service's own tool. */
function list(): string {
  const tool = join(clone, "examples", "delivery-service", "orders.mjs");
  return execFileSync(process.execPath, [tool], { encoding: "utf8" });
}

/** Sends the order again, as the site does after a lost response. */
function repeat(url: string, id: string): Promise<Response> {
  const order = createOrderPayload({ id, postId: postCode, postType: "post", likes: 50 });
  const body = JSON.stringify({ ...order, timestamp: new Date().toISOString() });
  const seconds = Math.floor(Date.now() / 1_000);
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": new Webhook(webhookSecret).sign(id, new Date(seconds * 1_000), body),
  };
  return fetch(url, { method: "POST", headers, body });
}
