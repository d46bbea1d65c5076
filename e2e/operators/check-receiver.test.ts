import { expect, test } from "../support/test";
import { orderCases, testCases, tryReceiver } from "@/scripts/lib/receiver-cases";
import { startDeliveryService } from "../support/servers/delivery-service";
import type { Answer, HttpRequest } from "../support/servers/http-double";
import { webhookSecret } from "../support/servers/live-delivery";
import { freePort } from "../support/ports";
import { runTool } from "../support/operator-tools";
import { idOf, isSigned, isSignedWhenever, startReceiver } from "../support/servers/webhook-receiver";

/* npm run check-receiver with the example service, and with receivers that each have one fault. */

const allCases = [...testCases, ...orderCases];

function check(...args: string[]) {
  return runTool("check-receiver", args, { LIKE_WEBHOOK_SECRET: webhookSecret });
}

test("passes the example service, and creates orders only with --creates-orders", async () => {
  const service = await startDeliveryService();
  try {
    const harmless = await check(service.url);
    expect(harmless).toMatchObject({ status: 0, stderr: "" });
    expect(harmless.stdout).toContain(`${testCases.length} ok, 0 failed`);
    expect(await service.exported()).toEqual([]);

    const whole = await check(service.url, "--creates-orders");
    expect(whole).toMatchObject({ status: 0, stderr: "" });
    expect(whole.stdout).toContain(`${allCases.length} ok, 0 failed`);
    const made = (await service.exported()).map(({ id }) => id);
    expect(made).toHaveLength(3);
    for (const id of made) expect(whole.stdout).toContain(id);
  } finally {
    await service.stop();
  }
});

/** Faults of receivers, and the cases that fail. */
const broken: [name: string, fault: Partial<Habits>, failed: string[]][] = [
  [
    "checks no signature",
    { isSigned: () => true },
    [
      "a wrong signature",
      "another body than was signed",
      "no signature",
      "signed an hour ago",
      "signed in an hour",
      "an order whose id was forged before",
    ],
  ],
  ["checks no time", { isSigned: isSignedWhenever }, ["signed an hour ago", "signed in an hour"]],
  ["forgets ids", { remember: () => true }, ["an order, and the same again", "an order 8 times at once"]],
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
  ],
  [
    "stores an id before it checks the signature",
    { notesFirst: true },
    ["an order whose id was forged before"],
  ],
  ["accepts every event type as an order", { types: /./ }, ["an unknown type"]],
  ["accepts an invalid order", { isOrder: () => true }, ["an order without a post"]],
  ["responds 500 to broken JSON", { onBroken: 500 }, ["broken JSON"]],
  ["accepts bodies of any size", { maxBytes: Infinity }, ["256 KiB"]],
  ["accepts any method and any body", { methods: /./, onBroken: 200 }, ["another method", "broken JSON"]],
  ["rejects test calls", { onTest: 422 }, ["a signed test call"]],
];

for (const [title, fault, failed] of broken)
  test(`finds a receiver that ${title}`, async () => {
    const receiver = await startWith(fault);
    const { results } = await tryReceiver(
      { url: receiver.url, secret: webhookSecret, timeoutMs: 5_000 },
      allCases,
    );
    await receiver.stop();
    expect(results.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(failed);
  });

test("exits with 1 and names the failed case; sends nothing without a secret", async () => {
  const receiver = await startWith({ isSigned: isSignedWhenever });
  const { status, stdout } = await check(receiver.url);
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^FAILED {2}signed an hour ago .* 204$/m)]);
  expect(stdout).toMatch(/^ok {6}a wrong signature .* 401$/m);
  expect(receiver.requests.length).toBe(testCases.length);
  const types = receiver.requests
    .filter(({ body }) => body)
    .map(({ body }) => /"type":"[^"]+"/.exec(body)?.[0]);
  expect(new Set(types)).toEqual(new Set(['"type":"connection.test"']));

  expect(await runTool("check-receiver", [receiver.url], {})).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("LIKE_WEBHOOK_SECRET: is required"),
  });
  expect(await check("likes")).toMatchObject({ status: 1, stderr: expect.stringContaining("Usage") });
  expect(receiver.requests.length).toBe(testCases.length);
  await receiver.stop();
});

test("reports a receiver that is not running", async () => {
  const url = `http://127.0.0.1:${await freePort()}/likes`;
  const { results } = await tryReceiver({ url, secret: webhookSecret, timeoutMs: 5_000 }, testCases);
  expect(results[0]).toMatchObject({ passed: false, came: "no connection" });
});

/** The steps of a receiver for a request, in their order. */
interface Habits {
  methods: RegExp;
  maxBytes: number;
  isSigned(request: HttpRequest): boolean;
  notesFirst: boolean;
  onBroken: number;
  onTest: number;
  types: RegExp;
  isOrder(message: Message): boolean;
  /** Stores an id. Returns whether it is new. */
  remember(id: string, ids: Set<string>): boolean | Promise<boolean>;
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
  onBroken: 422,
  onTest: 204,
  types: /^likes\.requested$/,
  isOrder: ({ data }) => data.postId !== undefined,
  remember: (id, ids) => !ids.has(id) && Boolean(ids.add(id)),
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
    if (!message) return { status: habits.onBroken };
    if (message.type === "connection.test") return { status: habits.onTest };
    if (!habits.types.test(message.type) || !habits.isOrder(message)) return { status: 422 };
    if (!habits.notesFirst && !(await habits.remember(id, ids))) return { status: 409 };
    taken += 1;
    return { status: 200, body: { reference: `order ${taken}` } };
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
