import type { Redis } from "@upstash/redis";
import { testTransports, type TestTransport } from "@/e2e/support/test-transports";
import { inboxLimits } from "@/lib/config/limits";
import { createInbox, type Inbox, type Submission } from "./inbox";

/* Tests limits and retention. redis/contract.test.ts tests that the inbox stores a message only once. */

let transport: TestTransport;
let redis: Redis;
let counter = 0;

const visitorAt = (address: string, ...networks: string[]): Submission["visitor"] => ({
  addressHashes: [address],
  networks: networks.map((name) => ({ kind: "IPv6 /56", hashes: [name] })),
});

function submission(over: Partial<Submission> = {}): Submission {
  counter += 1;
  return {
    form: "contact",
    fields: { email: "person@example.com", message: `No. ${counter}` },
    visitor: visitorAt(`address-${counter}`),
    requestKey: null,
    bodyHash: "h",
    ...over,
  };
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

  it("limits the bytes that an address and its network store in 24 hours", async () => {
    // The share of the address is the smallest share, and the share of the /56 network is two and a half large messages.
    const inbox = createInbox(redis, { retentionDays: 1, mailed: true }, { ...inboxLimits, bytes: 27e5 });
    const from = (address: string) => ({ visitor: visitorAt(address, "home") });
    // A message of almost the maximum size. The letter "ü" has two bytes.
    const large = { fields: { message: "ü".repeat(inboxLimits.messageBytes / 2 - 100) } };
    expect(
      await storeAll(inbox, submission({ ...from("a"), ...large }), submission({ ...from("a"), ...large })),
    ).toEqual(["stored", "address_full"]);
    expect(await storeAll(inbox, submission(from("a")), submission({ ...from("b"), ...large }))).toEqual([
      "stored",
      "stored",
    ]);
    const networkFull = { kind: "address_full", waitSeconds: expect.any(Number) as number };
    expect(await inbox.store(submission({ ...from("c"), ...large }))).toEqual(networkFull);
    expect(await inbox.precheck(submission({ ...from("c"), ...large }))).toEqual(networkFull);
    expect(await storeAll(inbox, submission(from("c")), submission(large))).toEqual(["stored", "stored"]);
  });

  it("keeps a reserve for small messages", async () => {
    const inbox = createInbox(redis, { retentionDays: 1, mailed: true }, { ...inboxLimits, bytes: 20_000 });
    const large = (n: number) =>
      submission({ visitor: visitorAt(`${n}`), fields: { message: "x".repeat(7_700) } });
    expect(await storeAll(inbox, large(1), large(2), large(3), submission())).toEqual([
      ...["stored", "stored", "inbox_full", "stored"],
    ]);
  });

  it("limits the number of messages and bytes, and does not count deleted or expired messages", async () => {
    const small = { ...inboxLimits, messages: 3, bytes: 10_000, reserveFromPercent: 100 };
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

  it("enforces the share of an address for concurrent submissions", async () => {
    // A message counts at least as 4,800 bytes, so the smallest share is twelve messages.
    const inbox = createInbox(redis, month);
    const visitor = visitorAt("office");
    await Promise.all(Array.from({ length: 30 }, () => inbox.store(submission({ visitor }))));
    expect(await inbox.list()).toHaveLength(12);
  });

  it("takes the mails of a day, and then counts messages for a digest once an hour", async () => {
    const inbox = createInbox(redis, month, { ...inboxLimits, mailsPerDay: 2 });
    await storeAll(inbox, ...Array.from({ length: 4 }, () => submission()));
    const taken = [];
    for (const { id } of await inbox.list()) taken.push(await inbox.takeMail(id));
    expect(taken).toEqual([true, true, false, false]);
    expect(await inbox.countUnmailed()).toBe(2);
    expect([await inbox.claimDigest(), await inbox.claimDigest()]).toEqual([2, 0]);
    await inbox.markDigestSent(2);
    await redis.del("{inbox}:v1:digest");
    expect(await inbox.claimDigest()).toBe(0);
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
