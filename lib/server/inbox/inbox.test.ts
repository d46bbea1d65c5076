import { testTransports, useTransport } from "@/testing/test-transports";
import { inboxLimits } from "@/lib/config/limits";
import type { AppError } from "@/lib/http/errors";
import { createInbox, type Inbox, type Submission } from "./inbox";

/* Tests limits, mails and cost. redis/contract.test.ts tests that the inbox stores a message only once. */

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
  const transport = useTransport(start);

  it("limits the bytes that an address and its network store in 24 hours", async () => {
    // The share of the address is the smallest share, and the share of the /56 network is two and a half large messages.
    const inbox = createInbox(transport.redis, true, { ...inboxLimits, bytes: 30 * 27e5, messages: 300_000 });
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
    const message = expect.stringContaining("write to support@example.com") as string;
    const refused = { code: "message_cap", retryAfterSeconds: 86_400, message };
    await expect(inbox.store(submission({ ...from("c"), ...large }))).rejects.toMatchObject(refused);
    expect(await storeAll(inbox, submission(from("c")), submission(large))).toEqual(["stored", "stored"]);
  });

  it("limits the number of messages and bytes, and does not count deleted or expired messages", async () => {
    const inbox = createInbox(transport.redis, true, { ...inboxLimits, messages: 3, bytes: 12_000 });
    const four = Array.from({ length: 4 }, () => submission());
    expect(await storeAll(inbox, ...four)).toEqual(["stored", "stored", "stored", "inbox_full"]);
    const [first] = await inbox.list();
    for (let n = 0; n < 2; n += 1) await inbox.remove(first?.id ?? "");
    const large = submission({ fields: { message: "x".repeat(9_700) } });
    expect(await storeAll(inbox, large, submission(), submission())).toEqual([
      ...["inbox_full", "stored", "inbox_full"],
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await transport.redis.hget("{inbox}:v1:stored", today)).toBe(12_000);
    await transport.redis.del("{inbox}:v1:stored");
    await transport.redis.hset("{inbox}:v1:stored", { "2026-01-01": 12_000 });
    expect(await storeAll(inbox, large)).toEqual(["stored"]);
    expect(await transport.redis.hkeys("{inbox}:v1:stored")).toEqual([today]);
  });

  it("enforces the share of an address for concurrent submissions", async () => {
    // A message counts at least as 4,800 bytes, so the smallest share is twelve messages.
    const inbox = createInbox(transport.redis, true);
    const visitor = visitorAt("office");
    await Promise.allSettled(Array.from({ length: 30 }, () => inbox.store(submission({ visitor }))));
    expect(await inbox.list()).toHaveLength(12);
  });
});

it("costs Redis no more time in a full inbox", async () => {
  const { redis, stop } = await testTransports[0]!.start();
  const inbox = createInbox(redis, true);
  const ofCarrier = (name: string, address: string) =>
    submission({ visitor: { addressHashes: [address], networks: [{ kind: "IPv6 /32", hashes: [name] }] } });
  const repeated = submission({ requestKey: "key", visitor: visitorAt("repeating") });
  const requests: Record<string, () => Promise<unknown>> = {
    "a new message": () => inbox.store(submission()),
    "a new message from a network with many": () => inbox.store(ofCarrier("carrier-0", "x")),
    "a message above the share": () => inbox.store(submission({ visitor: visitorAt("busy") })),
    "a repeated message": () => inbox.store(repeated),
    "a reused key": () => inbox.store({ ...repeated, fields: {} }),
    // The route searches for the message of a request whose captcha is wrong.
    "a search": () => inbox.hasStored(submission({ requestKey: "unused" })),
  };
  /** Returns the time in commands so far. Unlike CPU time, it contains no work of Redis between commands. */
  const commandMicros = async () => {
    const info = await redis.exec<string>(["INFO", "commandstats"]);
    const micros = [...info.matchAll(/^cmdstat_(?!info)[^:]+:calls=\d+,usec=(\d+)/gm)];
    return micros.reduce((sum, [, usec]) => sum + Number(usec), 0);
  };
  /** Measures five rounds of 50 requests of each kind. A busy machine makes some rounds slower, so the fastest counts. */
  async function measure(): Promise<Record<string, number>> {
    const micros: Record<string, number> = {};
    for (let round = 0; round < 5; round += 1)
      for (const [name, request] of Object.entries(requests)) {
        const before = await commandMicros();
        await Promise.allSettled(Array.from({ length: 50 }, request));
        micros[name] = Math.min(micros[name] ?? Infinity, (await commandMicros()) - before);
      }
    return micros;
  }

  await inbox.store(repeated);
  while ((await storeAll(inbox, submission({ visitor: visitorAt("busy") })))[0] === "stored");
  const empty = await measure();
  for (let n = 0; n < inboxLimits.messages; n += 100) {
    const carrier = (i: number) => ofCarrier(`carrier-${Math.floor((n + i) / 80)}`, `a-${n + i}`);
    await Promise.allSettled(Array.from({ length: 100 }, (_, i) => inbox.store(carrier(i))));
  }
  expect(await storeAll(inbox, submission())).toEqual(["inbox_full"]);
  const full = await measure();
  await stop();
  // A search takes a few microseconds, so a busy machine can double it. To read all messages would take thousands.
  expect(Object.keys(requests).filter((name) => full[name]! >= 2 * empty[name]! + 500)).toEqual([]);
}, 60_000);
