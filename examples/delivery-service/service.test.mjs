// @ts-check
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { Webhook } from "standardwebhooks";
import { openOrders } from "./order-store.mjs";
import { createReceiver } from "./receiver.mjs";

/* The tests start the server as a separate process. Only the test of the daily limit runs the server in the
 * test process, because that test sets the time. */

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const olderSecret = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "delivery-service-"));
const ordersFile = join(folder, "orders.db");
const orders = openOrders(ordersFile);
/** @type {Service} */
let service;
let lastId = 0;

before(async () => {
  service = await start();
});
after(async () => {
  await service?.stop("SIGKILL");
  orders.end();
  rmSync(folder, { recursive: true });
});

test("accepts and stores an order unchanged, and returns 409 when the order is repeated", async () => {
  const call = newOrder();
  const first = await send(call);
  assert.deepEqual([first.status, await first.json()], [200, { reference: call.id }]);
  assert.equal((await send(call)).status, 409);
  const { receivedAt = "", ...stored } = storedOrder(call) ?? {};
  assert.ok(Math.abs(Date.now() - Date.parse(receivedAt)) < 60_000);
  assert.deepEqual(stored, {
    id: call.id,
    postUrl: "https://www.instagram.com/p/Cxyz123abc_/",
    postType: "post",
    likes: 50,
    state: "open",
    closedAt: null,
    note: null,
  });
});

test("accepts one of 20 simultaneous requests with the same id and returns 409 for the others", async () => {
  const call = newOrder();
  const responses = await Promise.all(Array.from({ length: 20 }, () => send(call)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
});

test("returns 204 for a test call (connection.test) and stores nothing", async () => {
  const before = orders.listAll();
  assert.equal((await send({ id: "test_1", type: "connection.test", data: {} })).status, 204);
  assert.deepEqual(orders.listAll(), before);
});

/** @type {[name: string, call: Call, status: number][]} */
const rejected = [
  ["a wrong signature", { signedWith: `whsec_${Buffer.alloc(32, 3).toString("base64")}` }, 401],
  ["a body that differs from the signed body", { sentBody: '{"type":"connection.test"}' }, 401],
  ["a time that is ten minutes old", { ageSeconds: 600 }, 401],
  ["a time that is ten minutes in the future", { ageSeconds: -600 }, 401],
  ["an order without a signature", { without: "webhook-signature" }, 401],
  ["an order without a time", { without: "webhook-timestamp" }, 401],
  ["an order without an id", { without: "webhook-id" }, 401],
  ["a body of 2 MiB", { body: " ".repeat(2 ** 21) }, 413],
  ["broken JSON", { body: '{"type":' }, 422],
  ["an empty body", { body: "" }, 422],
  ["an unknown message type", { type: "likes.cancelled" }, 422],
  ["an order without a post", { data: { orderId: "AAAA-0001", likes: 50 } }, 422],
  ["a post of another site", { postUrl: "https://example.com/p/Cxyz123abc_/" }, 422],
  ["an order whose id differs from webhook-id", { orderId: "BBBB-0001" }, 422],
];
for (const [name, fault, status] of rejected) {
  test(`rejects ${name} with ${status}, and accepts the correct order afterwards`, async () => {
    const call = newOrder();
    assert.equal((await send({ ...call, ...fault })).status, status);
    assert.equal(storedOrder(call), undefined);
    assert.equal((await send(call)).status, 200);
  });
}

test("accepts orders signed with the old or the new secret if both secrets are configured", async () => {
  const call = { ...newOrder(), signedWith: olderSecret };
  assert.equal((await send(call)).status, 401);
  await service.stop("SIGTERM");
  service = await start({ WEBHOOK_SECRETS: `${secret}, ${olderSecret}` });
  assert.equal((await send(call)).status, 200);
  assert.equal((await send(newOrder())).status, 200);
});

test("above the daily limit, refuses new orders with a message until midnight GMT", async () => {
  let now = new Date("2026-01-31T23:59:00Z");
  const days = openOrders(join(folder, "days.db"));
  const options = { orders: days, secrets: [secret], dailyLikes: 100, log: () => undefined, now: () => now };
  const server = createServer(createReceiver(options)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const sendTo = (/** @type {Call} */ call) => send(call, `http://127.0.0.1:${port}`);

  const [first, second, third] = [newOrder(), newOrder(), newOrder()];
  for (const call of [first, second]) assert.equal((await sendTo(call)).status, 200);
  const full = await sendTo(third);
  assert.equal(full.status, 422);
  assert.match((await full.json()).message, /^All likes of today are taken/);
  assert.equal((await sendTo(first)).status, 409);
  now = new Date("2026-02-01T00:00:00Z");
  assert.equal((await sendTo(third)).status, 200);
  server.close();
  server.closeAllConnections();
  days.end();
});

test("creates the file with mode 0600, and names a full disk as the reason of a failure", () => {
  const path = join(folder, "full.db");
  const full = openOrders(path);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  // SQLite ends the transaction when the disk is full. So does this trigger.
  const other = new Database(path);
  other.exec(
    "CREATE TRIGGER full BEFORE INSERT ON orders BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END",
  );
  other.close();
  const order = { id: "AAAA-0000", postUrl: "", postType: "post", likes: 50 };
  assert.throws(() => full.accept(order, new Date(), 50), /database or disk is full/);
  full.end();
});

test("keeps every order that it accepted before a SIGKILL", async () => {
  /** @type {Call[]} */
  const accepted = [];
  const senders = Array.from({ length: 40 }, async () => {
    // Sends orders until the service is killed.
    for (;;) {
      const call = newOrder();
      const response = await send(call).catch(() => null);
      if (response === null) return;
      if (response.status === 200) accepted.push(call);
      if (accepted.length === 5) await service.stop("SIGKILL");
    }
  });
  await Promise.all(senders);
  assert.ok(accepted.length >= 5);
  service = await start();
  for (const call of accepted) assert.equal((await send(call)).status, 409);
});

test("accepts orders while no line of the log can be written", async () => {
  await service.stop("SIGTERM");
  service = await start();
  service.output.destroy();
  for (const call of [newOrder(), newOrder(), newOrder()]) assert.equal((await send(call)).status, 200);
});

test("finishes open requests after SIGTERM and keeps every accepted order", async () => {
  const slow = newOrder();
  const { begun, finish, status } = sendSlowly(slow);
  await begun;
  const calls = Array.from({ length: 40 }, newOrder);
  const sending = calls.map((call) =>
    send(call).then(
      (response) => response.status,
      () => "no response",
    ),
  );
  const ended = service.stop("SIGTERM");
  setTimeout(finish, 200);
  assert.equal(await status, 200);
  const statuses = await Promise.all(sending);
  assert.deepEqual(await ended, { code: 0, signal: null });
  service = await start();
  for (const [index, call] of [slow, ...calls].entries())
    assert.equal(storedOrder(call) !== undefined, index === 0 || statuses[index - 1] === 200);
});

test("returns 200 for health, 404 for other paths, 405 for other methods", async () => {
  const get = async (/** @type {string} */ path, method = "GET") =>
    (await fetch(service.url + path, { method })).status;
  const statuses = [get("/health"), get("/"), get("/likes"), get("/likes", "PUT"), get("/health", "POST")];
  assert.deepEqual(await Promise.all(statuses), [200, 404, 405, 405, 405]);
});

test("orders.mjs lists open orders, closes each order once, and exports all orders", async () => {
  const [done, refused, open] = [newOrder(), newOrder(), newOrder()];
  for (const call of [done, refused, open]) await send(call);
  const line = new RegExp(`^${open.id}  .* GMT  50 likes for the post https://www.instagram.com/p/`, "m");
  assert.match(tool("list").stdout, line);
  assert.equal(tool("done", done.id).stdout, `${done.id} is done.\n`);
  assert.equal(tool("refuse", refused.id, "--note", "an advertisement").status, 0);
  const list = tool().stdout;
  assert.deepEqual(
    [done, refused, open].map(({ id }) => list.includes(id)),
    [false, false, true],
  );
  assert.ok(list.endsWith(`\n${orders.listOpen().length} open\n`));
  const exported = tool("export")
    .stdout.trimEnd()
    .split("\n")
    .map((each) => JSON.parse(each));
  assert.deepEqual(
    exported.slice(-3).map(({ id, state, note }) => [id, state, note]),
    [
      [done.id, "done", null],
      [refused.id, "refused", "an advertisement"],
      [open.id, "open", null],
    ],
  );
  // The server still knows the id of a closed order.
  assert.equal((await send(done)).status, 409);
  for (const wrong of [["done", done.id], ["refuse", "AAAA-9999"], ["done"], ["undo"], ["list", "--all"]])
    assert.deepEqual([tool(...wrong).status, tool(...wrong).stdout], [1, ""]);
});

for (const [name, env] of Object.entries({
  "an empty secret": { WEBHOOK_SECRETS: "" },
  "an invalid secret": { WEBHOOK_SECRETS: `${secret},password` },
  "a daily limit that is not a number": { DAILY_LIKES: "many" },
})) {
  test(`does not start with ${name}, and the error names the setting`, async () => {
    await assert.rejects(start(env), new RegExp(`are invalid:\n  ${Object.keys(env)[0]}: `));
  });
}

/**
 * @typedef {object} Call Values of a request. A missing property gets the value of a correct order.
 * @property {string} [id]
 * @property {string} [type]
 * @property {object} [data]
 * @property {string} [orderId]
 * @property {string} [postUrl]
 * @property {string} [body] signed body; replaces the JSON with the values above
 * @property {string} [sentBody] sent body, if it differs from the signed body
 * @property {string} [signedWith] secret of the signature
 * @property {number} [ageSeconds] age of webhook-timestamp; negative for a time in the future
 * @property {string} [without] name of a header to leave out
 */

/** @returns {Call & { id: string }} */
function newOrder() {
  lastId += 1;
  return { id: `AAAA-${String(lastId).padStart(4, "0")}` };
}

/** @param {Call} call */
function storedOrder({ id }) {
  return orders.listAll().find((order) => order.id === id);
}

/** @param {Call} call */
function messageOf({ id = "", type = "likes.requested", orderId = id, ...call }) {
  const { postUrl = "https://www.instagram.com/p/Cxyz123abc_/", ageSeconds = 0, signedWith = secret } = call;
  const { data = { orderId, postId: "Cxyz123abc_", postType: "post", postUrl, likes: 50 } } = call;
  const at = new Date(Date.now() - ageSeconds * 1_000);
  const body = call.body ?? JSON.stringify({ type, timestamp: at.toISOString(), data });
  /** @type {Record<string, string>} */
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(signedWith).sign(id, at, body),
  };
  if (call.without) delete headers[call.without];
  return { headers, body: call.sentBody ?? body };
}

/** @param {Call} call */
function send(call, url = service.url) {
  return fetch(`${url}/likes`, { method: "POST", ...messageOf(call) });
}

/**
 * Sends the first 20 characters of an order. The returned function `finish` sends the rest.
 *
 * @param {Call} call
 */
function sendSlowly(call) {
  const { headers, body } = messageOf(call);
  /** @type {(value: void) => void} */
  let finish = () => undefined;
  const finished = new Promise((resolve) => (finish = resolve));
  /** @type {(value: void) => void} */
  let begin = () => undefined;
  const begun = new Promise((resolve) => (begin = resolve));
  const stream = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode(body.slice(0, 20)));
      setTimeout(begin, 100);
      await finished;
      controller.enqueue(new TextEncoder().encode(body.slice(20)));
      controller.close();
    },
  });
  const init = { method: "POST", headers, body: stream, duplex: "half" };
  const status = fetch(`${service.url}/likes`, init).then((response) => response.status);
  return { begun, finish, status };
}

/** @typedef {Awaited<ReturnType<typeof start>>} Service */

/** Starts the server on a free port. If the server does not start, throws an Error with its error output. */
async function start(env = {}) {
  const settings = { WEBHOOK_SECRETS: secret, ORDERS_FILE: ordersFile, PORT: "0", ...env };
  const child = spawn(process.execPath, [file("server.mjs")], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: line = "" } = await lines.next();
  const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
  if (!url) {
    await ended;
    throw new Error(errors);
  }
  child.stdout.resume();
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    child.kill(signal);
    return ended;
  };
  return { url, stop, output: child.stdout };
}

/** @param {string[]} args */
function tool(...args) {
  const env = { PATH: process.env.PATH, ORDERS_FILE: ordersFile };
  return spawnSync(process.execPath, [file("orders.mjs"), ...args], { env, encoding: "utf8" });
}
