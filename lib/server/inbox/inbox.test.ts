import type { Redis } from "@upstash/redis";
import { testTransports, type TestTransport } from "@/testing/test-transports";
import { inboxLimits } from "@/lib/config/limits";
import type { AppError } from "@/lib/http/errors";
import { readInfoField } from "@/lib/server/redis/probe";
import { createInbox, type Inbox, type Submission } from "./inbox";

/* Tests limits, mails and cost. redis/contract.test.ts tests that the inbox stores a message only once. */

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
    ...over,
  };
}

/** Returns "stored", or the error code, for each submission. */
async function storeAll(inbox: Inbox, ...submissions: Submission[]): Promise<string[]> {
  const results = [];
  for (const entry of submissions)
    results.push(
      await inbox.store(entry).then(
        () => "stored",
        ({ code }: AppError) => code,
      ),
    );
  return results;
}

describe.each(testTransports.slice(0, 2))("over $name", ({ start }) => {
  beforeAll(async () => {
    transport = await start();
    redis = transport.redis;
  });
  afterAll(() => transport.stop());
  afterEach(() => redis.flushall());

  it("limits the bytes that an address and its network store in 24 hours", async () => {
    // The share of the address is the smallest share, and the share of the /56 network is two and a half large messages.
    const inbox = createInbox(redis, true, { ...inboxLimits, bytes: 30 * 27e5, messages: 300_000 });
    const from = (address: string) => ({ visitor: visitorAt(address, "home") });
    // A message of almost the maximum size. The letter "ü" has two bytes.
    const large = { fields: { message: "ü".repeat(inboxLimits.messageBytes / 2 - 100) } };
    expect(
      await storeAll(inbox, submission({ ...from("a"), ...large }), submission({ ...from("a"), ...large })),
    ).toEqual(["stored", "message_cap"]);
    expect(await storeAll(inbox, submission(from("a")), submission({ ...from("b"), ...large }))).toEqual([
      "stored",
      "stored",
    ]);
    const refused = { code: "message_cap", retryAfterSeconds: 86_400 };
    await expect(inbox.store(submission({ ...from("c"), ...large }))).rejects.toMatchObject(refused);
    expect(await storeAll(inbox, submission(from("c")), submission(large))).toEqual(["stored", "stored"]);
  });

  it("limits the number of messages and bytes, and does not count deleted or expired messages", async () => {
    const inbox = createInbox(redis, true, { ...inboxLimits, messages: 3, bytes: 12_000 });
    const four = Array.from({ length: 4 }, () => submission());
    expect(await storeAll(inbox, ...four)).toEqual(["stored", "stored", "stored", "inbox_full"]);
    const [first] = await inbox.list();
    for (let n = 0; n < 2; n += 1) await inbox.remove(first?.id ?? "");
    const large = submission({ fields: { message: "x".repeat(9_700) } });
    expect(await storeAll(inbox, large, submission(), submission())).toEqual([
      ...["inbox_full", "stored", "inbox_full"],
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await redis.hget("{inbox}:v1:stored", today)).toBe(12_000);
    await redis.del("{inbox}:v1:stored");
    await redis.hset("{inbox}:v1:stored", { "2026-01-01": 12_000 });
    expect(await storeAll(inbox, large)).toEqual(["stored"]);
    expect(await redis.hkeys("{inbox}:v1:stored")).toEqual([today]);
  });

  it("enforces the share of an address for concurrent submissions", async () => {
    // A message counts at least as 4,800 bytes, so the smallest share is twelve messages.
    const inbox = createInbox(redis, true);
    const visitor = visitorAt("office");
    await Promise.allSettled(Array.from({ length: 30 }, () => inbox.store(submission({ visitor }))));
    expect(await inbox.list()).toHaveLength(12);
  });

  it("takes the mails of a day, and lets further messages wait", async () => {
    const inbox = createInbox(redis, true, { ...inboxLimits, mailsPerDay: 2 });
    await storeAll(inbox, ...Array.from({ length: 4 }, () => submission()));
    const claims = [await inbox.claimUnmailed(), await inbox.claimUnmailed(), await inbox.claimUnmailed()];
    expect(claims).toEqual([expect.anything(), expect.anything(), null]);
    await inbox.markMailed(claims[0]!.id);
    expect(await inbox.countUnmailed()).toBe(3);
    // A failed attempt gives its mail back.
    await inbox.returnMail(claims[1]!.id);
    expect(await inbox.claimUnmailed()).not.toBeNull();
    expect(await inbox.claimUnmailed()).toBeNull();
  });

  it("deletes a message before its mail", async () => {
    const inbox = createInbox(redis, true);
    await storeAll(inbox, submission());
    const [message] = await inbox.list();
    await inbox.remove(message?.id ?? "");
    expect([await inbox.list(), await inbox.countUnmailed()]).toEqual([[], 0]);
  });
});

describe("the CPU time of Redis", () => {
  const carrier = (name: string, address: string) => ({
    addressHashes: [address],
    networks: [{ kind: "IPv6 /32" as const, hashes: [name] }],
  });
  const repeated = submission({ requestKey: "key", visitor: visitorAt("repeating") });
  const rows: { name: string; request: () => Submission; isSearch?: boolean }[] = [
    { name: "a new message", request: () => submission() },
    {
      name: "a new message from a network with many",
      request: () => submission({ visitor: carrier("carrier-0", "x") }),
    },
    { name: "a message above the share", request: () => submission({ visitor: visitorAt("busy") }) },
    { name: "a repeated message", request: () => repeated },
    { name: "a reused key", request: () => ({ ...repeated, fields: {} }) },
    // The route searches for the message of a request whose captcha is wrong.
    { name: "a search", request: () => submission({ requestKey: "unused" }), isSearch: true },
  ];
  let inbox: Inbox;
  /** Microseconds of each row, for a nearly empty inbox and for a full one. */
  const costs: number[][] = [];

  /** Measures ten rounds of 50 requests of each row. A busy machine makes some rounds slower, so the fastest counts. */
  async function measure(): Promise<void> {
    const micros = rows.map(() => Infinity);
    for (let round = 0; round < 10; round += 1)
      for (const [row, { request, isSearch }] of rows.entries()) {
        const requests = Array.from({ length: 50 }, request);
        const before = await cpuMicros();
        const send = (each: Submission) => (isSearch ? inbox.hasStored(each) : inbox.store(each));
        await Promise.all(requests.map((each) => send(each).catch(() => undefined)));
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
    inbox = createInbox(redis, true);
    await storeAll(inbox, repeated);
    while ((await storeAll(inbox, submission({ visitor: visitorAt("busy") })))[0] === "stored");
    await measure();
    for (let n = 0; n < inboxLimits.messages; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          storeAll(
            inbox,
            submission({ visitor: carrier(`carrier-${Math.floor((n + i) / 80)}`, `a-${n + i}`) }),
          ),
        ),
      );
    expect(await storeAll(inbox, submission())).toEqual(["inbox_full"]);
    await measure();
  }, 60_000);
  afterAll(() => transport.stop());

  it.each(rows.map(({ name }, row) => ({ name, row })))(
    "is not higher in a full inbox for $name",
    ({ row }) => {
      const [empty, full] = costs.map((cost) => cost[row]!);
      expect(full).toBeLessThan(2 * empty!);
    },
  );
});
