import type { Redis } from "@upstash/redis";
import { testTransports, type TestTransport } from "@/e2e/support/test-transports";
import { inboxLimits, limits } from "@/lib/config/limits";
import { createInbox, type Inbox, type Submission } from "./inbox";

/* Tests limits and retention. redis/contract.test.ts tests that the inbox stores a message only once. */

const mib = 1_048_576;
let transport: TestTransport;
let redis: Redis;
let counter = 0;

function submission(over: Partial<Submission> = {}): Submission {
  counter += 1;
  return {
    form: "contact",
    fields: { email: "person@example.com", message: `No. ${counter}` },
    address: "office",
    requestKey: null,
    bodyHash: "h",
    ...over,
  };
}

async function usedMemory(): Promise<number> {
  const info = await redis.exec<string>(["INFO", "memory"]);
  return Number(/used_memory:(\d+)/.exec(info)?.[1]);
}

async function storeAll(inbox: Inbox, ...submissions: Submission[]): Promise<string[]> {
  const kinds = [];
  for (const entry of submissions) kinds.push((await inbox.store(entry)).kind);
  return kinds;
}

describe.each(testTransports.slice(0, 2))("over $name", ({ start }) => {
  beforeAll(async () => {
    transport = await start();
    redis = transport.redis;
  });
  afterAll(() => transport.stop());
  afterEach(() => redis.flushall());

  const month = { retentionDays: 30, mailed: true };

  it("limits the number of messages per IP address and day, so that the messages use less than 2 MiB", async () => {
    const inbox = createInbox(redis, month);
    // A message of almost the maximum request size. The letter "ü" has two bytes.
    const fields = { message: "ü".repeat(limits.bodyBytes / 2 - 100) };
    await inbox.store(submission({ fields, address: "other" }));
    const before = await usedMemory();
    const kinds = [];
    for (let n = 0; n < 200; n += 1) kinds.push((await inbox.store(submission({ fields }))).kind);
    const { messagesPerAddressPerDay } = inboxLimits;
    expect(kinds.filter((kind) => kind === "stored")).toHaveLength(messagesPerAddressPerDay);
    expect((await usedMemory()) - before).toBeLessThan(2 * mib);
    const addressFull = { kind: "address_full", waitSeconds: expect.any(Number) as number };
    expect(await inbox.store(submission())).toEqual(addressFull);
    expect(await inbox.precheck(submission())).toMatchObject({ kind: "address_full" });
    expect(await storeAll(inbox, submission({ address: "other" }))).toEqual(["stored"]);
  });

  it("limits the number of messages and bytes, and does not count deleted or expired messages", async () => {
    const small = { messagesPerAddressPerDay: 100, messages: 3, bytes: 10_000 };
    const inbox = createInbox(redis, month, small);
    const four = Array.from({ length: 4 }, () => submission());
    expect(await storeAll(inbox, ...four)).toEqual(["stored", "stored", "stored", "inbox_full"]);
    const [first] = await inbox.list();
    await inbox.remove(first?.id ?? "");
    expect(await inbox.precheck(submission())).toBeNull();
    const large = submission({ fields: { message: "x".repeat(9_900) } });
    expect(await storeAll(inbox, large)).toEqual(["inbox_full"]);
    // Simulates expiry. Redis then deletes the messages, but does not change the byte counter.
    for (const { id } of await inbox.list()) await redis.del(`{inbox}:v1:message:${id}`);
    expect(await storeAll(inbox, { ...large, fields: { message: "x".repeat(9_500) } })).toEqual(["stored"]);
  });

  it("enforces the limit per IP address for concurrent submissions", async () => {
    const inbox = createInbox(redis, month, { messagesPerAddressPerDay: 5, messages: 100, bytes: 100_000 });
    await Promise.all(Array.from({ length: 30 }, () => inbox.store(submission())));
    expect(await inbox.list()).toHaveLength(5);
  });

  it.each([
    ["lowered", 30, 7],
    ["raised", 7, 60],
  ])("changes the expiry of every message when the retention is %s", async (_, before, after) => {
    const old = createInbox(redis, { retentionDays: before, mailed: true });
    for (let n = 0; n < 5; n += 1) await old.store(submission());
    const inbox = createInbox(redis, { retentionDays: after, mailed: true });
    await inbox.applyRetention();
    for (const key of await redis.keys("{inbox}:v1:message:*")) {
      const days = (await redis.pttl(key)) / 86_400_000;
      expect(days).toBeGreaterThan(after - 0.01);
      expect(days).toBeLessThanOrEqual(after);
    }
    expect(await inbox.list()).toHaveLength(5);
  });

  it("deletes messages that are older than a lowered retention, and their index entries", async () => {
    const old = createInbox(redis, month);
    for (let n = 0; n < 3; n += 1) await old.store(submission());
    const [{ id = "" } = {}] = await old.list();
    await redis.zadd("{inbox}:v1:index", { score: Date.now() - 10 * 86_400_000, member: id });
    const inbox = createInbox(redis, { retentionDays: 7, mailed: true });
    expect((await inbox.store(submission())).kind).toBe("stored");
    expect((await inbox.list()).map((message) => message.id)).not.toContain(id);
    expect(await redis.keys("{inbox}:v1:message:*")).toHaveLength(3);
    expect(await redis.zcard("{inbox}:v1:index")).toBe(3);
    expect(await redis.zscore("{inbox}:v1:unmailed", id)).toBeNull();
  });

  it("lists and deletes a message that is missing from the index", async () => {
    const inbox = createInbox(redis, month);
    await inbox.store(submission());
    await redis.del("{inbox}:v1:index");
    const [message] = await inbox.list();
    expect(message).toMatchObject({ form: "contact" });
    await inbox.remove(message?.id ?? "");
    expect(await redis.keys("{inbox}:v1:message:*")).toEqual([]);
  });
});
