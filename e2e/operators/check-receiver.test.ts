import { spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@/testing/test";
import { root, startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { orderCases, testCases, tryReceiver } from "@/cli/receiver-cases";
import { startDeliveryService } from "@/testing/servers/delivery-service";
import type { Answer, HttpRequest } from "@/testing/servers/http-double";
import { webhookSecret } from "@/testing/servers/live-delivery";
import { freePort, accepts } from "@/scripts/lib/ports.mjs";
import { until } from "@/testing/until";
import { orderMessageSchema } from "@/lib/schemas/order";
import { runTool } from "@/testing/operator-tools";
import { idOf, isSigned, isSignedWhenever, startReceiver } from "@/testing/servers/webhook-receiver";

/* npm run check-receiver with the example service, and with receivers that each have one fault. */

const allCases = [...testCases, ...orderCases];
const allPass = `${allCases.length} ok, 0 failed`;
const check = (args: string[], env = {}) =>
  runTool("check-receiver", args, { LIKE_WEBHOOK_SECRET: webhookSecret, ...env });

test("passes the example service, and creates orders only with --creates-orders", async () => {
  const service = await startDeliveryService();
  const harmless = await check([], { LIKE_WEBHOOK_URL: service.url });
  expect(harmless).toMatchObject({ status: 0, stderr: "" });
  expect(harmless.stdout).toContain(`${testCases.length} ok, 0 failed`);
  expect(await service.exported()).toEqual([]);

  const { status, stdout } = await check([service.url, "--creates-orders"]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(allPass)]);
  const made = (await service.exported()).map(({ id }) => id);
  expect(made).toHaveLength(5);
  for (const id of made) expect(stdout).toContain(id);
  await service.stop();
});

const pythonReceiver = join(root, "examples", "receiver.py");

for (const WEBHOOK_SECRET of ["", "whsec_", `${webhookSecret},`, "password"])
  test(`the receiver in Python does not start with the secrets "${WEBHOOK_SECRET}"`, async () => {
    const env = { ...process.env, WEBHOOK_SECRET, ORDERS_FILE: ":memory:", PORT: "0" };
    const { status } = spawnSync(requireProgram("python3"), [pythonReceiver], { env, timeout: 30_000 });
    expect(status).toBe(1);
  });

test("passes the receiver in Python with the older of its two secrets and a log that is lost", async () => {
  const port = await freePort();
  const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 3).toString("base64")}, ${webhookSecret}`;
  const ORDERS_FILE = test.info().outputPath("orders.db");
  const running = startInBackground(requireProgram("python3"), [pythonReceiver], {
    env: { ...process.env, WEBHOOK_SECRET, ORDERS_FILE, PORT: String(port) },
    stdio: ["ignore", "ignore", openSync("/dev/full", "w")],
  });
  await until("the receiver listens", () => accepts(port));
  const { status, stdout } = await check([`http://127.0.0.1:${port}/`, "--creates-orders"]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(allPass)]);
  await stop(running);
});

const rememberLate = async (id: string, ids: Set<string>) => {
  if (ids.has(id)) return false;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return Boolean(ids.add(id));
};
const isUnsigned = ({ headers }: HttpRequest) => !headers["webhook-signature"];
const [forged, again, atOnce] = [
  "an order whose id was forged",
  "an order, and the same",
  "an order 8 times",
];

/** Faults of receivers, the first words of the cases that fail, and a part of the advice for the first of them. */
const broken: [name: string, fault: Partial<Habits>, failed: string[], advice: string][] = [
  ["checks no signature", { isSigned: () => true }, ["a wrong", "signed", forged], "Compute the signature"],
  ["needs no signature", { isSigned: (r) => isUnsigned(r) || isSigned(r) }, ["a wrong"], "is missing"],
  ["checks no time", { isSigned: isSignedWhenever }, ["signed an hour"], "more than 300 s"],
  ["forgets ids", { remember: () => true }, [again, atOnce], "Store each id"],
  ["has one reference", { reply: { body: { reference: "ok" } } }, ["two different"], "own reference"],
  ["responds with a page", { onTest: { body: "<!doctype html>" } }, ["a signed"], "correct the address"],
  ["responds with text", { onRepeat: { status: 409, body: "Conflict" } }, [again, atOnce], "body or JSON"],
  ["orders at a test call", { onTest: { body: { reference: "1" } } }, ["a signed"], "connection.test"],
  ["stores an id late", { remember: rememberLate }, [atOnce], "one transaction"],
  ["stores forged ids", { notesFirst: true }, [forged], "before you store"],
  ["accepts every event type", { types: /./ }, ["an unknown type"], "only likes.requested"],
  ["accepts an invalid order", { isOrder: () => true }, ["an unknown type"], "each field"],
  ["responds 500 to broken JSON", { onBroken: { status: 500 } }, ["an unknown type"], "catch the error"],
  ["accepts bodies of any size", { maxBytes: Infinity }, ["256 KiB"], "after 16 KiB"],
  ["accepts any method", { methods: /./, onBroken: {} }, ["another method", "an unknown type"], "only POST"],
  ["rejects test calls", { onTest: { status: 422 } }, ["a signed test call"], "respond 204"],
];

for (const [title, fault, failed, advice] of broken)
  test(`finds a receiver that ${title}`, async () => {
    const { url, stop } = await startWith(fault);
    const { results } = await tryReceiver({ url, secret: webhookSecret, timeoutMs: 5_000 }, allCases);
    await stop();
    const failures = results.filter(({ passed }) => !passed);
    expect(failures.map(({ name }) => name)).toEqual(failed.map((words) => expect.stringContaining(words)));
    expect(failures[0]?.advice).toContain(advice);
  });

test("exits with 1 and names the failed case; sends nothing without a secret", async () => {
  const { url, requests, stop } = await startWith({ isSigned: isSignedWhenever });
  const { status, stdout } = await check([url]);
  const failure =
    /^FAILED {2}signed an hour ago.*: 204, 204; .*\n +sent with test_\w+, test_\w+\n +A recorded/m;
  expect([status, stdout]).toEqual([1, expect.stringMatching(failure)]);
  expect(stdout).toMatch(/^ok {6}a wrong signature.* 401, 401$/m);
  expect(requests.filter(({ body }) => body && !body.startsWith('{"type":"connection.test"'))).toEqual([]);

  const count = requests.length;
  const unset = await runTool("check-receiver", [url], {});
  expect(unset).toMatchObject({ status: 1, stderr: expect.stringContaining("SECRET: is required") });
  const password = await check([url.replace("//", "//me:pass@")]);
  expect(password).toMatchObject({ status: 1, stderr: expect.stringContaining("must not hold a user") });
  expect(password.stderr).not.toContain("pass@");
  expect(requests).toHaveLength(count);
  await stop();
});

/** The steps of a correct receiver for a request, in their order. */
const good = {
  methods: /^POST$/,
  maxBytes: 16_384,
  notesFirst: false,
  isSigned,
  onBroken: { status: 422 } as Answer,
  onTest: { status: 204 } as Answer,
  types: /^likes\.requested$/,
  isOrder: ({ data }: { data: object }) => orderMessageSchema.shape.data.safeParse(data).success,
  /** Stores an id. Returns whether it is new. */
  remember: (id: string, ids: Set<string>): boolean | Promise<boolean> =>
    !ids.has(id) && Boolean(ids.add(id)),
  /** Replaces the response to a new order. */
  reply: null as Answer | null,
  onRepeat: { status: 409 } as Answer,
};
type Habits = typeof good;

/** Starts a receiver that is correct except for the fault. */
async function startWith(fault: Partial<Habits>) {
  const habits = { ...good, ...fault };
  const receiver = await startReceiver();
  const ids = new Set<string>();
  let taken = 0;
  receiver.respond(async (request): Promise<Answer> => {
    const id = idOf(request);
    if (!habits.methods.test(request.method)) return { status: 405 };
    if (request.body.length > habits.maxBytes) return { status: 413 };
    if (habits.notesFirst && !habits.remember(id, ids)) return { status: 409 };
    if (!habits.isSigned(request)) return { status: 401 };
    const message = await new Response(request.body).json().catch(() => null);
    if (!message) return habits.onBroken;
    const isTest = message.type === "connection.test";
    if (!isTest && !(habits.types.test(message.type) && habits.isOrder(message))) return { status: 422 };
    if (!isTest && !habits.notesFirst && !(await habits.remember(id, ids))) return habits.onRepeat;
    taken += 1;
    if (isTest) return habits.onTest;
    return habits.reply ?? { body: { reference: `order ${taken}` } };
  });
  return receiver;
}
