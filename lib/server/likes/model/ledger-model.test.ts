import fc from "fast-check";
import { testTransports, type TestTransport } from "@/e2e/support/test-transports";
import { until } from "@/e2e/support/until";
import { foundCases, openOrders, outcomes } from "./test-found-cases";
import { LedgerUnderTest, sequences } from "./test-ledger-actions";

/* The same sequences in each run. npm run model runs others, and prints how to replay a failure. */

describe.each(testTransports)("over $name", ({ name, start }) => {
  let transport: TestTransport;
  beforeAll(async () => (transport = await start()));
  afterAll(() => transport.stop());

  it.each(foundCases)("agrees with its model when $title", ({ actions }) =>
    new LedgerUnderTest(transport).run(actions),
  );

  it("agrees with its model after random actions", async () => {
    const ledger = new LedgerUnderTest(transport);
    const numRuns = name === "REST" ? 20 : 230;
    await fc.assert(
      fc.asyncProperty(sequences, (sequence) => ledger.run(...sequence)),
      { numRuns, seed: 1 },
    );
  }, 120_000);

  it.each(["append-only file", "snapshot"] as const)("continues with its %s alone", (file) =>
    new LedgerUnderTest(transport).run([...openOrders, { name: "restart", file }, ...outcomes]),
  );

  it.each(testTransports)("continues on another Redis, over $name", async (target) => {
    const ledger = new LedgerUnderTest(transport);
    const run = await ledger.begin();
    await run.performAll(openOrders);
    const other = await target.start();
    try {
      await replicate(transport, other);
      await transport.redis.exec(["FAILOVER", "TO", "127.0.0.1", other.server.port, "TIMEOUT", 5_000]);
      await untilReplication(other, "role:master");
      ledger.transport = other;
      await run.performAll(outcomes);
      await run.finish();
    } finally {
      await other.stop();
      await transport.redis.exec(["REPLICAOF", "NO", "ONE"]);
    }
  });

  it("loses only the last writes with a primary that dies before its replica has them", async () => {
    const ledger = new LedgerUnderTest(transport);
    const run = await ledger.begin();
    await run.performAll(openOrders);
    const replica = await start();
    try {
      await replicate(transport, replica);
      // No primary listens on this port, so the replica gets no further writes.
      await replica.redis.exec(["REPLICAOF", "127.0.0.1", 1]);
      const loseWrites = run.remember();
      await run.performAll(outcomes);
      loseWrites();
      await transport.server.kill();
      await replica.redis.exec(["REPLICAOF", "NO", "ONE"]);
      ledger.transport = replica;
      await run.setClock();
      await run.performAll(outcomes);
      await run.finish();
    } finally {
      await replica.stop();
      await transport.server.restart();
    }
  });
});

async function replicate(from: TestTransport, to: TestTransport): Promise<void> {
  await from.redis.exec(["CONFIG", "SET", "repl-diskless-sync-delay", 0]);
  await to.redis.exec(["REPLICAOF", "127.0.0.1", from.server.port]);
  await untilReplication(from, "state=online");
}

/** Waits until the section "replication" of INFO contains `text`. */
function untilReplication({ redis }: TestTransport, text: string): Promise<void> {
  const read = () => redis.exec<string>(["INFO", "replication"]).catch(() => "");
  return until(text, async () => (await read()).includes(text));
}
