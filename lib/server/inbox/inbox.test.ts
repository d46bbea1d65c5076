import type { Redis } from "@upstash/redis";
import { testTransports, type TestTransport } from "@/testing/test-transports";
import { inboxLimits } from "@/lib/config/limits";
import { readInfoField } from "@/lib/server/redis/probe";
import { createInbox, type Inbox, type Submission } from "./inbox";

/* Tests limits, retention and cost. redis/contract.test.ts tests that the inbox stores a message only once. */

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

/** Makes all messages as old as possible. Redis has then deleted them, but not their entries in the index. */
async function expireAll(): Promise<void> {
  await redis.eval(
    `for _, entry in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZADD', KEYS[1], 1, entry) end
    for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end`,
    ["{inbox}:v1:index"],
    ["{inbox}:v1:message:*"],
  );
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
    const large = submission({ fields: { message: "x".repeat(9_700) } });
    expect(await storeAll(inbox, large)).toEqual(["inbox_full"]);
    await expireAll();
    expect(await inbox.precheck(large)).toBeNull();
    expect(await storeAll(inbox, large, submission())).toEqual(["stored", "stored"]);
    // Redis can lose messages, for example if it evicts keys. Maintenance counts again.
    for (const { id } of await inbox.list()) await redis.del(`{inbox}:v1:message:${id}`);
    expect(await storeAll(inbox, large)).toEqual(["inbox_full"]);
    await inbox.applyRetention();
    expect(await storeAll(inbox, large)).toEqual(["stored"]);
  });

  it("removes as many expired messages as a new message needs", async () => {
    const small = { ...inboxLimits, bytes: 36_000, reserveFromPercent: 100 };
    const inbox = createInbox(redis, month, small);
    await storeAll(inbox, ...Array.from({ length: 240 }, () => submission()));
    await expireAll();
    const large = submission({ fields: { message: "x".repeat(20_000) } });
    expect(await storeAll(inbox, large)).toEqual(["stored"]);
    expect(await redis.zcard("{inbox}:v1:index")).toBeLessThanOrEqual(41);
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
    const digests = [await inbox.claimDigest(), await inbox.claimDigest()];
    expect(digests.map(({ messages }) => messages)).toEqual([2, 0]);
    await inbox.markDigestSent(digests[0]!);
    await redis.del("{inbox}:v1:digest");
    expect(await inbox.claimDigest()).toMatchObject({ messages: 0 });
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
    const [entry = ""] = await redis.zrange<string[]>("{inbox}:v1:index", 0, 0);
    const [id = ""] = entry.split(":");
    await redis.zadd("{inbox}:v1:index", { score: Date.now() - 10 * 86_400_000, member: entry });
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

describe("the CPU time of Redis", () => {
  const carrier = (name: string, address: string) => ({
    addressHashes: [address],
    networks: [{ kind: "IPv6 /32" as const, hashes: [name] }],
  });
  const repeated = submission({ requestKey: "key", visitor: visitorAt("repeating") });
  const rows: { name: string; request: () => Submission }[] = [
    { name: "a new message", request: () => submission() },
    {
      name: "a new message from a network with many",
      request: () => submission({ visitor: carrier("carrier-0", "x") }),
    },
    { name: "a message above the share", request: () => submission({ visitor: visitorAt("busy") }) },
    { name: "a repeated message", request: () => repeated },
    { name: "a reused key", request: () => ({ ...repeated, bodyHash: "other" }) },
  ];
  let inbox: Inbox;
  /** Microseconds of each row, for a nearly empty inbox, a full one, and one full of expired messages. */
  const costs: number[][] = [];

  /** Measures ten rounds of 50 prechecks of each row. A busy machine makes some rounds slower, so the fastest counts. */
  async function measure(): Promise<void> {
    const micros = rows.map(() => Infinity);
    for (let round = 0; round < 10; round += 1)
      for (const [row, { request }] of rows.entries()) {
        const requests = Array.from({ length: 50 }, request);
        const before = await cpuMicros();
        await Promise.all(requests.map((each) => inbox.precheck(each)));
        micros[row] = Math.min(micros[row]!, ((await cpuMicros()) - before) / requests.length);
      }
    costs.push(micros);
  }
  async function cpuMicros(): Promise<number> {
    const info = await redis.exec<string>(["INFO", "cpu"]);
    return 1e6 * (Number(readInfoField(info, "used_cpu_user")) + Number(readInfoField(info, "used_cpu_sys")));
  }

  beforeAll(async () => {
    transport = await testTransports[0]!.start();
    redis = transport.redis;
    inbox = createInbox(redis, { retentionDays: 1, mailed: true });
    await storeAll(inbox, repeated);
    // 3 % of the inbox.
    const large = {
      visitor: visitorAt("busy"),
      fields: { message: "x".repeat(inboxLimits.messageBytes - 400) },
    };
    while ((await inbox.store(submission(large))).kind === "stored");
    await measure();
    for (let n = 0; n < inboxLimits.messages; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          inbox.store(
            submission({ visitor: carrier(`carrier-${Math.floor(n / 2_500)}`, `address-${n + i}`) }),
          ),
        ),
      );
    expect(await inbox.precheck(submission())).toEqual({ kind: "inbox_full" });
    await measure();
    await expireAll();
    await measure();
  }, 60_000);
  afterAll(() => transport.stop());

  it.each(rows.map(({ name }, row) => ({ name, row })))(
    "is the same in a full inbox for $name",
    ({ row }) => {
      const micros = costs.map((cost) => cost[row]!);
      const isSame = Math.max(...micros) < 2 * Math.min(...micros);
      expect({ micros, isSame }).toEqual({ micros, isSame: true });
    },
  );
});
