import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "../support/test";
import { root, run, startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { orderCases, testCases, tryReceiver } from "@/scripts/lib/receiver-cases";
import { startDeliveryService } from "../support/servers/delivery-service";
import type { Answer, HttpRequest } from "../support/servers/http-double";
import { webhookSecret } from "../support/servers/live-delivery";
import { freePort, isTaken } from "../support/ports";
import { until } from "../support/until";
import { runTool } from "../support/operator-tools";
import {
  idOf,
  isSigned,
  isSignedWhenever,
  startReceiver,
  type WebhookReceiver,
} from "../support/servers/webhook-receiver";

/* npm run check-receiver with the example service, and with receivers that each have one fault. */

const newerSecret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const allCases = [...testCases, ...orderCases];

function check(...args: string[]) {
  return runTool("check-receiver", args, { LIKE_WEBHOOK_SECRET: webhookSecret });
}

test("passes the example service, and creates orders only with --creates-orders", async () => {
  const service = await startDeliveryService();
  try {
    const settings = { LIKE_WEBHOOK_SECRET: webhookSecret, LIKE_WEBHOOK_URL: service.url };
    const harmless = await runTool("check-receiver", [], settings);
    expect(harmless).toMatchObject({ status: 0, stderr: "" });
    expect(harmless.stdout).toContain(`${testCases.length} ok, 0 failed`);
    expect(await service.exported()).toEqual([]);

    const whole = await check(service.url, "--creates-orders");
    expect(whole).toMatchObject({ status: 0, stderr: "" });
    expect(whole.stdout).toContain(`${allCases.length} ok, 0 failed`);
    const made = (await service.exported()).map(({ id }) => id);
    expect(made).toHaveLength(5);
    for (const id of made) expect(whole.stdout).toContain(id);
  } finally {
    await service.stop();
  }
});

const pythonReceiver = join(root, "examples", "receiver.py");

for (const WEBHOOK_SECRET of ["", "whsec_", `${webhookSecret},`, "password"])
  test(`the receiver in Python does not start with the secrets "${WEBHOOK_SECRET}"`, async () => {
    const env = { ...process.env, WEBHOOK_SECRET, ORDERS_FILE: ":memory:", PORT: "0" };
    const options = { env, stdio: "ignore", timeoutMs: 5_000 } as const;
    expect(await run(requireProgram("python3"), [pythonReceiver], options)).toBe(1);
  });

test("passes the receiver in Python with the older of its two secrets and a log that is lost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "receiver-"));
  const [port, ordersFile] = [await freePort(), join(folder, "orders.db")];
  const running = startInBackground(requireProgram("python3"), [pythonReceiver], {
    stdio: ["ignore", "ignore", openSync("/dev/full", "w")],
    env: {
      ...process.env,
      WEBHOOK_SECRET: `${newerSecret}, ${webhookSecret}`,
      ORDERS_FILE: ordersFile,
      PORT: String(port),
    },
  });
  try {
    await until("the receiver listens", () => isTaken(port));
    const { status, stdout } = await check(`http://127.0.0.1:${port}/`, "--creates-orders");
    expect([status, stdout]).toEqual([0, expect.stringContaining(`${allCases.length} ok, 0 failed`)]);
  } finally {
    await stop(running);
    rmSync(folder, { recursive: true });
  }
});

const headerCases = ["no webhook-id", "no webhook-timestamp", "no webhook-signature"];

/** Faults of receivers, the cases that fail, and the remedy for the first of them. */
const broken: [name: string, fault: Partial<Habits>, failed: string[], change: RegExp][] = [
  [
    "checks no signature",
    { isSigned: () => true },
    [
      "a wrong signature",
      "another body than was signed",
      ...headerCases,
      "signed an hour ago",
      "signed in an hour",
      "an order whose id was forged before",
    ],
    /compute the signature/i,
  ],
  [
    "checks only a signature that is there",
    { isSigned: (request) => !request.headers["webhook-signature"] || isSigned(request) },
    ["no webhook-signature"],
    /has no webhook-signature/,
  ],
  [
    "checks no time",
    { isSigned: isSignedWhenever },
    ["signed an hour ago", "signed in an hour"],
    /more than 300 s/,
  ],
  [
    "forgets ids",
    { remember: () => true },
    ["an order, and the same again", "an order 8 times at once"],
    /Store each id/,
  ],
  [
    "gives all orders one reference",
    { reply: { body: { reference: "ok" } } },
    ["two different orders"],
    /own reference/,
  ],
  [
    "responds with a page",
    { onTest: { body: "<!doctype html>" } },
    ["a signed test call"],
    /correct the address/,
  ],
  [
    "responds with text to a repeated order",
    { onRepeat: { status: 409, body: "Conflict" } },
    ["an order, and the same again", "an order 8 times at once"],
    /empty body or JSON/,
  ],
  [
    "makes an order of a test call",
    { onTest: { body: { reference: "order 1" } } },
    ["a test call, which is no order"],
    /type connection\.test/,
  ],
  [
    "stores an id only after it has processed the order",
    {
      async remember(id, ids) {
        if (ids.has(id)) return false;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return Boolean(ids.add(id));
      },
    },
    ["an order 8 times at once"],
    /one transaction/,
  ],
  [
    "stores an id before it checks the signature",
    { notesFirst: true },
    ["an order whose id was forged before"],
    /before you store/,
  ],
  ["accepts every event type as an order", { types: /./ }, ["an unknown type"], /only likes\.requested/],
  ["accepts an invalid order", { isOrder: () => true }, ["an order without a post"], /each field/],
  ["responds 500 to broken JSON", { onBroken: { status: 500 } }, ["broken JSON"], /catch the error/i],
  ["accepts bodies of any size", { maxBytes: Infinity }, ["256 KiB"], /after 16 KiB/],
  [
    "accepts any method and any body",
    { methods: /./, onBroken: {} },
    ["another method", "broken JSON"],
    /only POST/,
  ],
  ["rejects test calls", { onTest: { status: 422 } }, ["a signed test call"], /After 422/],
];

for (const [title, fault, failed, change] of broken)
  test(`finds a receiver that ${title}`, async () => {
    const receiver = await startWith(fault);
    const { results } = await tryReceiver(
      { url: receiver.url, secret: webhookSecret, timeoutMs: 5_000 },
      allCases,
    );
    await receiver.stop();
    const failures = results.filter(({ passed }) => !passed);
    expect(failures.map(({ name }) => name)).toEqual(failed);
    expect(failures[0]?.advice[1]).toMatch(change);
  });

test("exits with 1 and names the failed case; sends nothing without a secret", async () => {
  const receiver = await startWith({ isSigned: isSignedWhenever });
  const { status, stdout } = await check(receiver.url);
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^FAILED {2}signed an hour ago .* 204$/m)]);
  expect(stdout).toMatch(/^ok {6}a wrong signature .* 401$/m);
  expect(stdout).toMatch(
    /^FAILED\n {2}Sent: +signed an hour ago, with the id test_\w+\n {2}Came: +204; .*401\n {2}Why: +.+\n {2}Change: +.+/m,
  );
  expect(receiver.requests.length).toBe(testCases.length);
  const types = receiver.requests
    .filter(({ body }) => body)
    .map(({ body }) => /"type":"[^"]+"/.exec(body)?.[0]);
  expect(new Set(types)).toEqual(new Set(['"type":"connection.test"']));

  expect(await runTool("check-receiver", [receiver.url], {})).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("LIKE_WEBHOOK_SECRET: is required"),
  });
  expect(await check("")).toMatchObject({ status: 1, stderr: expect.stringContaining("Usage") });
  const withPassword = await check(receiver.url.replace("//", "//me:pass@"));
  expect(withPassword).toMatchObject({ status: 1, stderr: expect.stringContaining("must not hold a user") });
  expect(receiver.requests.length).toBe(testCases.length);
  await receiver.stop();
});

for (const [title, urlOf, change] of [
  ["is not running", async () => `http://127.0.0.1:${await freePort()}`, /ECONNREFUSED[^]*Start the service/],
  ["has an unknown host", async () => "https://orders.invalid", /(?:ENOTFOUND|EAI_AGAIN)[^]*host name/],
  [
    "offers no TLS",
    async ({ url }) => url.replace("http:", "https:"),
    /no connection \(\S+\)[^]*certificate/,
  ],
  ["closes the connection", async ({ url }) => url, /no connection \(\S+\)[^]*Read the log/],
] as [string, (receiver: WebhookReceiver) => Promise<string>, RegExp][])
  test(`explains why a receiver that ${title} gets no call`, async () => {
    const receiver = await startReceiver();
    receiver.respond("drop");
    const { status, stdout } = await check(await urlOf(receiver));
    await receiver.stop();
    expect([status, stdout]).toEqual([1, expect.stringMatching(change)]);
    expect(stdout).toContain("0 ok, 1 failed");
  });

test("lists the orders of a receiver that responds with text", async () => {
  const receiver = await startWith({ reply: { body: "OK" } });
  const { stdout } = await check(receiver.url, "--creates-orders");
  await receiver.stop();
  expect(stdout).toMatch(
    /Came: +200 with a body that is neither empty nor JSON of at most 16 KiB, 409; expected/,
  );
  expect(/may hold after a time-out: (.+)$/m.exec(stdout)?.[1]?.split(", ")).toHaveLength(5);
});

test("lists the orders that a receiver makes of test calls", async () => {
  const receiver = await startWith({ onTest: { body: { reference: "order 1" } } });
  const { stdout } = await check(receiver.url);
  await receiver.stop();
  const made = receiver.requests.filter(
    (request) => isSigned(request) && request.body && request.body.length < good.maxBytes,
  );
  expect(made).toHaveLength(2);
  expect(stdout).toContain(`may hold after a time-out: ${made.map(idOf).join(", ")}\n`);
});

test("lists the orders of a slow receiver, which may hold them", async () => {
  const receiver = await startReceiver();
  receiver.respond(({ body }) => (body.includes("likes.requested") ? "hang" : { status: 204 }));
  const settings = { LIKE_WEBHOOK_SECRET: webhookSecret, LIKE_WEBHOOK_TIMEOUT_MS: "300" };
  const { stdout } = await runTool("check-receiver", [receiver.url, "--creates-orders"], settings);
  await receiver.stop();
  const sent = receiver.requests.filter(
    (request) => request.body.includes("likes.requested") && isSigned(request),
  );
  const [, listed = ""] = /^Test orders .*: (.+)$/m.exec(stdout) ?? [];
  expect(sent.length).toBeGreaterThan(10);
  expect(sent.map(idOf).filter((id) => !listed.includes(id))).toEqual([]);
  expect(stdout).toMatch(/Came: +no answer in time[^]*as soon as the order is stored/);
});

/** The steps of a receiver for a request, in their order. */
interface Habits {
  methods: RegExp;
  maxBytes: number;
  isSigned(request: HttpRequest): boolean;
  notesFirst: boolean;
  onBroken: Answer;
  onTest: Answer;
  types: RegExp;
  isOrder(message: Message): boolean;
  /** Stores an id. Returns whether it is new. */
  remember(id: string, ids: Set<string>): boolean | Promise<boolean>;
  /** Replaces the response to a new order. */
  reply?: Answer;
  onRepeat: Answer;
}

interface Message {
  type: string;
  data: { postId?: string };
}

const good: Habits = {
  methods: /^POST$/,
  maxBytes: 16_384,
  isSigned,
  notesFirst: false,
  onBroken: { status: 422 },
  onTest: { status: 204 },
  types: /^likes\.requested$/,
  isOrder: ({ data }) => data.postId !== undefined,
  remember: (id, ids) => !ids.has(id) && Boolean(ids.add(id)),
  onRepeat: { status: 409 },
};

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
    const message = parse(request.body);
    if (!message) return habits.onBroken;
    if (message.type === "connection.test") return habits.onTest;
    if (!habits.types.test(message.type) || !habits.isOrder(message)) return { status: 422 };
    if (!habits.notesFirst && !(await habits.remember(id, ids))) return habits.onRepeat;
    taken += 1;
    return habits.reply ?? { body: { reference: `order ${taken}` } };
  });
  return receiver;
}

function parse(body: string): Message | null {
  try {
    return JSON.parse(body) as Message;
  } catch {
    return null;
  }
}
