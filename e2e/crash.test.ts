import { Redis } from "@upstash/redis";
import { ledgerScripts } from "@/lib/server/likes/ledger-scripts";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { startApp, type AppServer } from "./support/app-server";
import {
  AcceptedOrders,
  askOnce,
  expectBooksToAgree,
  moveTo,
  newVisitorInFlow,
  readBooks,
  until,
} from "./support/bookkeeping";
import { startDeafServer } from "./support/deaf-server";
import { isVerb, startRedisProxy, type RedisProxy } from "./support/redis-proxy";
import { startRedis, type RedisServer } from "./support/redis-server";
import type { Visitor } from "./support/visitor";
import { startReceiver, type WebhookReceiver } from "./support/webhook-receiver";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const visitorsPerPoint = 3;

let redisServer: RedisServer;
let proxy: RedisProxy;
let receiver: WebhookReceiver;
let requester: ReturnType<typeof createTcpRequester>;
let redis: Redis;
let received: AcceptedOrders;

beforeAll(async () => {
  redisServer = await startRedis({ appendOnly: "always" });
  proxy = await startRedisProxy(redisServer.port);
  receiver = await startReceiver({ secret });
  requester = createTcpRequester(redisServer.url);
  redis = new Redis(requester);
});
afterAll(async () => {
  requester.close();
  await proxy.stop();
  await receiver.stop();
  await redisServer.stop();
});
beforeEach(async () => {
  await redis.flushall();
  // Known scripts run at their first request: a step is then one command.
  for (const script of Object.values(ledgerScripts)) await redis.scriptLoad(script);
  proxy.set();
  received = new AcceptedOrders();
  receiver.requests.length = 0;
  receiver.respond(received.responder(() => undefined));
});

function startShop(redisUrl: string, env: Record<string, string> = {}): Promise<AppServer> {
  return startApp({
    redisUrl,
    env: {
      LIKE_DELIVERY: "webhook",
      LIKE_WEBHOOK_URL: receiver.url,
      LIKE_WEBHOOK_SECRET: secret,
      LIKE_WEBHOOK_TIMEOUT_MS: "1000",
      LIKE_DELIVERY_ACKNOWLEDGED: "yes",
      TRUSTED_IP_HEADER: "x-real-ip",
      BURST_LIMIT_SCALE: "1000",
      ...env,
    },
  });
}

function newVisitors(url: string, count: number): Promise<Visitor[]> {
  return Promise.all(Array.from({ length: count }, () => newVisitorInFlow(url)));
}

/** Lets the receiver work only when that many calls have come, so that their settlements come at once. */
function answerTogether(count: number): void {
  const first = receiver.requests.length;
  receiver.respond(
    received.responder(() => until("all calls", () => receiver.requests.length >= first + count)),
  );
}

interface Crash {
  name: string;
  /** Prepares the step, and returns how to know that all visitors have reached it. */
  prepare: () => Promise<() => Promise<void>>;
}

const crashes: Crash[] = [
  {
    name: "before reserve reaches Redis",
    prepare: async () => {
      proxy.set({ matches: isVerb("reserve"), fault: "hold-command" });
      return () => until("reserve is held back", () => proxy.sprung >= visitorsPerPoint);
    },
  },
  {
    name: "after reserve ran, before its answer arrives",
    prepare: async () => {
      const before = await redis.zcard("{likes}:v2:pending");
      proxy.set({ matches: isVerb("reserve"), fault: "hold-answer" });
      return () =>
        until(
          "all are reserved",
          async () => (await redis.zcard("{likes}:v2:pending")) === before + visitorsPerPoint,
        );
    },
  },
  {
    name: "while the receiver works",
    prepare: async () => {
      const first = receiver.requests.length;
      receiver.respond(received.responder(() => new Promise((resolve) => setTimeout(resolve, 600))));
      return () => receiver.waitForRequests(first + visitorsPerPoint);
    },
  },
  {
    name: "after the receiver accepted, before settle reaches Redis",
    prepare: async () => {
      answerTogether(visitorsPerPoint);
      proxy.set({ matches: isVerb("settle"), fault: "hold-command" });
      return () => until("settle is held back", () => proxy.sprung >= visitorsPerPoint);
    },
  },
  {
    name: "after settle ran, before its answer arrives",
    prepare: async () => {
      const before = (await readBooks(redis, received)).figures.accepted;
      answerTogether(visitorsPerPoint);
      proxy.set({ matches: isVerb("settle"), fault: "hold-answer" });
      return () =>
        until(
          "all are settled",
          async () => (await readBooks(redis, received)).figures.accepted === before + visitorsPerPoint,
        );
    },
  },
];

/** Brings visitors to the step, and kills their server there. Returns the visitors. */
async function crashAt({ prepare }: Crash, env?: Record<string, string>): Promise<Visitor[]> {
  const app = await startShop(proxy.url, env);
  const visitors = await newVisitors(app.url, visitorsPerPoint);
  // Its first reserve asks for Redis's time before; afterwards a request is reserve, call, settle.
  if (!env) expect((await askOnce(await newVisitorInFlow(app.url)))?.status).toBe(200);
  const reached = await prepare();
  const answers = visitors.map(askOnce);
  await reached();
  await app.kill();
  expect(await Promise.all(answers)).toEqual(visitors.map(() => null));
  proxy.set();
  receiver.respond(received.responder(() => undefined));
  return visitors;
}

it("a server killed at any step between reserve and settle loses and doubles nothing", async () => {
  const visitors: Visitor[] = [];
  for (const crash of crashes) visitors.push(...(await crashAt(crash)));
  const deaf = await startDeafServer();
  const name = "after reserve's answer, before the webhook call is heard";
  const prepare = () =>
    Promise.resolve(() => until("all calls wait", () => deaf.connections >= visitorsPerPoint));
  visitors.push(
    ...(await crashAt({ name, prepare }, { LIKE_WEBHOOK_URL: `http://127.0.0.1:${deaf.port}/likes` })),
  );
  await deaf.stop();

  const { figures: atCrash } = await readBooks(redis, received);
  // Open after the crash: all but those before reserve (nothing charged) and those after settle.
  expect(atCrash.open).toBe(4 * visitorsPerPoint);
  const heir = await startShop(redisServer.url, { RECONCILE_EVERY_SECONDS: "1" });
  try {
    const moved = visitors.map((visitor) => moveTo(heir.url, visitor));
    // While a dead server's lease still runs, nobody else touches its order.
    const early = await Promise.all(moved.map(askOnce));
    const statuses = early.map((answer) => answer?.status);
    expect(statuses.slice(0, visitorsPerPoint)).toEqual([200, 200, 200]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2 * visitorsPerPoint);
    await until("the leases run out", async () => (await redis.zcard("{likes}:v2:pending")) === 0);

    const late = await Promise.all(moved.map(askOnce));
    expect(late.map((answer) => answer?.status)).toEqual(moved.map(() => 200));
    const references = late.map((answer) => (answer?.body.order as { reference: string }).reference);
    expect(new Set(references).size).toBe(moved.length);
    for (const reference of references) expect(received.ids.has(reference)).toBe(true);
    const again = await Promise.all(moved.map((visitor) => visitor.like("Cxyz123abc_", "another-key")));
    expect(again.map(({ body }) => body.code)).toEqual(moved.map(() => "cooldown"));
    const figures = await expectBooksToAgree("server killed at 6 steps", redis, received);
    // One visitor more for each server that was warmed up.
    expect(figures.accepted).toBe(visitors.length + crashes.length);
  } finally {
    await heir.stop();
  }
});

/** Asks again under the same key, as the page does, until the order is accepted. */
async function insist(visitor: Visitor): Promise<void> {
  await until("accepted", async () => {
    const answer = await askOnce(visitor);
    if (answer?.status !== 200) await new Promise((resolve) => setTimeout(resolve, 200));
    return answer?.status === 200;
  });
}

it("a Redis killed in the middle of traffic comes back with its append-only file, and every order is finished", async () => {
  const app = await startShop(redisServer.url, { RECONCILE_EVERY_SECONDS: "1" });
  try {
    receiver.respond(received.responder(() => new Promise((resolve) => setTimeout(resolve, 100))));
    const visitors = await newVisitors(app.url, 60);
    // A few at a time, so that there is traffic at every kill.
    const waiting = [...visitors];
    const work = Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) await insist(next);
      }),
    );
    for (const accepted of [10, 25, 40]) {
      await until(`${accepted} are accepted`, () => received.ids.size >= accepted);
      await redisServer.kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await redisServer.restart();
    }
    await work;
    await until("nothing is open", async () => (await redis.zcard("{likes}:v2:pending")) === 0);
    const figures = await expectBooksToAgree("Redis killed 3 times", redis, received);
    expect(figures).toMatchObject({ accepted: visitors.length, orders: visitors.length });
  } finally {
    await app.stop();
  }
});

it("two servers and their timers share a slow receiver that fails half of the time", async () => {
  const env = { RECONCILE_EVERY_SECONDS: "1" };
  const apps = await Promise.all([startShop(redisServer.url, env), startShop(redisServer.url, env)]);
  try {
    receiver.respond(
      received.responder(async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, 50 + ((index * 67) % 250)));
        // Half of the calls fail: by an error, or (having accepted) by a lost answer.
        return ([undefined, "error", undefined, "drop"] as const)[(index * 7 + (index >> 2)) % 4];
      }),
    );
    const visitors = await newVisitors("", 40);
    const answers = await Promise.all(
      visitors.flatMap((visitor) => apps.map((app) => askOnce(moveTo(app.url, visitor)))),
    );
    const succeeded = answers.filter((answer) => answer?.status === 200).length;
    expect(succeeded).toBeGreaterThan(0);
    // Either of a visitor's two may be told of the order; some of them had a call that failed.
    expect(succeeded).toBeLessThan(answers.length);
    await until("nothing is open", async () => (await redis.zcard("{likes}:v2:pending")) === 0, 60_000);
    const figures = await expectBooksToAgree("two servers, half of the calls fail", redis, received);
    expect(figures).toMatchObject({ orders: visitors.length, accepted: visitors.length });
    const late = await Promise.all(visitors.map((visitor) => askOnce(moveTo(apps[1].url, visitor))));
    expect(late.map((answer) => answer?.status)).toEqual(visitors.map(() => 200));
    expect(receiver.requests.every(({ verified }) => verified)).toBe(true);
  } finally {
    await Promise.all(apps.map((app) => app.stop()));
  }
});
