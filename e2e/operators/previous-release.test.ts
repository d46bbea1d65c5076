import { createHash, createHmac, hkdfSync } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import { goodInput } from "../forms/inputs";
import { runTool } from "../support/operator-tools";
import { readRedis } from "../support/redis-contents";
import { postCode } from "../support/sample-posts";
import { sessionSecret } from "../support/servers/app-server";
import { expect, test, useServers } from "../support/test";
import { likesUsed, referenceOf, Visitor } from "../support/visitor";

/*
 * Data as the release before writes it. During a release and after a step back, both releases use the same Redis
 * and the same cookies. A new format therefore needs two releases: the first reads both formats, the second writes it.
 */

const hourMs = 3_600_000;
const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
const keyedHash = (text: string) =>
  createHmac("sha256", "visitor-secret-of-the-tests-0123456789").update(text).digest("base64url");
const key = Buffer.from(hkdfSync("sha256", sessionSecret, "", "flow cookie", 36));
/** The types of iron-session allow only text passwords. */
const password = { [key.readUInt32BE(0)]: new Uint8Array(key.subarray(4)) } as unknown as string;

/** Returns the records of visitor `n`, whose order was accepted an hour ago or is still open. */
function recordsOf(n: number, state: "accepted" | "pending", now: number) {
  const id = `0000-${state === "accepted" ? "AAAA" : "PPPP"}-${String(n).padStart(4, "0")}`;
  const address = `10.20.${state === "accepted" ? 1 : 2}.${n + 1}`;
  const visitor = keyedHash(`visitor\n${address}\nfingerprint fingerprint`);
  const network = keyedHash(`network\n${address.replace(/\d+$/, "0/24")}`).slice(0, 22);
  const at = now - hourMs / 2;
  const post = { postId: postCode, type: "post" as const };
  const accepted = { closedAt: at, cooldownUntil: at + 4 * hourMs, providerReference: `ref-${id}` };
  const request = { order: id, body: hash(postCode), till: at + 24 * hourMs };
  const receipt = {
    reference: id,
    postId: postCode,
    type: "post",
    likes: 50,
    acceptedAt: new Date(at).toISOString(),
    nextAvailable: new Date(at + 4 * hourMs).toISOString(),
  };
  return {
    id,
    address,
    cooldownEnd: receipt.nextAvailable,
    flow: {
      id: `flow-of-${id}`,
      startedAt: at,
      link: post,
      post,
      refusal: null,
      visited: ["/verification", "/get-likes"],
      receipt: state === "accepted" ? receipt : null,
    },
    redis: {
      [`order:${id}`]: {
        ...{ id, state, postId: postCode, postType: "post", likes: 50, visitor, flow: `flow-of-${id}` },
        ...{ address: keyedHash(`address\n${address}`), networks: [network], attempt: "a", leaseUntil: 0 },
        ...{ day: Math.floor(at / 86_400_000), createdAt: at, tries: 1 },
        ...(state === "accepted" && accepted),
      },
      [`visitor:${visitor}`]: {
        ...(state === "accepted" ? { cooldownUntil: accepted.cooldownUntil } : { order: id }),
        orders: { [id]: at },
        requests: { [hash(`${visitor}\nlike\nkey-${n}`)]: request },
      },
      [`address:${keyedHash(`address\n${address}`)}`]: {
        orders: { [id]: at },
        recent: { attempt: at + 60_000 },
      },
      [`network:${network}`]: { hours: { [Math.floor(at / hourMs)]: 30 }, lost: {} },
    },
  };
}

const cronSecret = "cron-secret-of-the-tests";
const servers = useServers({ live: true, env: { CRON_SECRET: cronSecret } });
const message = {
  id: "mOld",
  form: "contact",
  receivedAt: new Date().toISOString(),
  fields: goodInput.contact,
};

test.beforeEach(async () => {
  await servers.store.flushall();
  servers.receiver.requests.length = 0;
});

test("reads cookies, orders and messages of the release before, under load", async () => {
  const now = Date.now();
  const [accepted, pending] = (["accepted", "pending"] as const).map((state) =>
    Array.from({ length: 30 }, (_, n) => recordsOf(n, state, now)),
  );
  for (const { redis } of [...accepted!, ...pending!])
    for (const [name, record] of Object.entries(redis))
      await servers.store.set(`{likes}:v2:${name}`, record, { px: 24 * hourMs });
  for (const { id } of pending!) await servers.store.zadd("{likes}:v2:pending", { score: now, member: id });
  await servers.store.set(`{likes}:v2:budget:${Math.floor(now / 86_400_000)}`, 3_000, { px: 24 * hourMs });
  await servers.store.set("{inbox}:v1:message:mOld", message, { px: hourMs });
  await servers.store.zadd("{inbox}:v1:index", { score: now, member: "mOld:200" });

  const visitorOf = async ({ address, flow }: ReturnType<typeof recordsOf>) => {
    const visitor = new Visitor(servers.app.url, { address });
    visitor.cookies.set("flow", await sealData(flow, { password, ttl: 3_600 }));
    return visitor;
  };
  await Promise.all([
    ...accepted!.map(async (records) => {
      const visitor = await visitorOf(records);
      expect((await visitor.visit("/success/")).html).toContain("Likes Delivered Successfully!");
      expect(referenceOf(await visitor.get("/api/instagram/receipt"))).toBe(records.id);
      const status = { canRequest: false, nextAvailable: records.cooldownEnd };
      expect((await visitor.get("/api/instagram/status")).body).toMatchObject(status);
      // Another browser with only the cookie of the order has to wait, too.
      const other = new Visitor(servers.app.url);
      other.cookies.set("rate-limit", records.id);
      expect((await other.get("/api/instagram/status")).body).toMatchObject(status);
    }),
    ...pending!.map(async (records, n) => {
      const visitor = await visitorOf(records);
      expect(referenceOf(await visitor.like(postCode, `key-${n}`))).toBe(records.id);
    }),
    ...Array.from({ length: 10 }, async () => {
      const visitor = new Visitor(servers.app.url);
      await visitor.startFlow();
      expect((await visitor.like()).status).toBe(200);
    }),
  ]);
  const ids = servers.receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(40);
  expect(ids).toHaveLength(40);
  expect(await likesUsed(servers.app.url)).toBe(3_500);
  const { stdout } = await runTool("inbox", [], { REDIS_URL: servers.redis.url });
  expect(stdout).toContain(goodInput.contact.email);
});

test("writes cookies, orders and messages that the release before can read", async () => {
  const visitors = Array.from({ length: 2 }, () => new Visitor(servers.app.url));
  for (const visitor of visitors) {
    await visitor.startFlow();
    for (const path of ["/verification/", "/get-likes/"]) await visitor.visit(path);
  }
  const [first, second] = visitors;
  expect((await first!.like(postCode, "key")).status).toBe(200);
  servers.receiver.respond("error");
  expect((await second!.like(postCode, "key")).status).toBe(503);
  const token = await first!.solveCaptcha();
  expect((await first!.post("/api/contact/submit", { ...goodInput.contact, token })).status).toBe(200);

  const before = (["accepted", "pending"] as const).map((state) => recordsOf(1, state, Date.now()));
  // The release before also closes orders without `networks`.
  for (const { redis, id } of before) delete (redis[`order:${id}`] as { networks?: unknown }).networks;
  const shapes = (records: readonly (readonly [string, unknown])[]) =>
    [...new Set(records.map(([name, value]) => `${name.split(":")[0]} ${shapeOf(value)}`))].sort();
  const stored = (await readRedis(servers.redis.url)).flatMap(({ key, value }) =>
    /v2:(?:order|visitor|address|network):/.test(key)
      ? [[key.slice("{likes}:v2:".length), JSON.parse(String(value))] as const]
      : [],
  );
  expect(shapes(stored)).toEqual(shapes(before.flatMap(({ redis }) => Object.entries(redis))));
  const flows = await Promise.all(
    visitors.map(({ cookies }) => unsealData(cookies.get("flow")!, { password, ttl: 3_600 })),
  );
  expect(flows.map((flow) => shapeOf(flow))).toEqual(before.map(({ flow }) => shapeOf(flow)));
  const [received] = await servers.store.keys("{inbox}:v1:message:*");
  expect(shapeOf(await servers.store.get(received!))).toBe(shapeOf(message));
});

/** Describes names and types of all fields that are not empty. Describes a record with ids as names by its first value. */
function shapeOf(value: unknown, name = ""): string {
  if (Array.isArray(value)) return `[${value.length > 0 ? shapeOf(value[0]) : ""}]`;
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const fields = Object.entries(value).sort(([a], [b]) => a.localeCompare(b));
  if (["orders", "requests", "hours", "recent", "lost"].includes(name))
    return fields.length > 0 ? `{*: ${shapeOf(fields[0]![1])}}` : "{}";
  const shapes = fields.map(([field, each]) => [field, shapeOf(each, field)]);
  return `{${shapes.flatMap(([field, shape]) => (shape === "{}" ? [] : `${field}: ${shape}`)).join(", ")}}`;
}
