import { rmSync } from "node:fs";
import { join } from "node:path";
import { testTransports, useTransport, type TestTransport } from "@/testing/test-transports";
import { until } from "@/testing/until";
import { compareWithModel, LedgerRun, type Action } from "./ledger-run";

/* The same sequences in each run. npm run model runs others, and prints how to replay a failure. */

// A busy machine can stand still past the deadline. The model then does not know whether Redis ran the command.
jest.mock("@/lib/server/redis/reply", () => ({
  ...jest.requireActual("@/lib/server/redis/reply"),
  redisDeadlineMs: 60_000,
}));

const reserve: Extract<Action, { name: "reserve" }> = {
  ...{ name: "reserve", visitor: 0, address: 1, flow: 1, post: 0, body: 0 },
  ...{ requestKey: null, cookie: null, repeated: false, outcome: null },
};

/** The ledger was wrong: a command was rate limited when it was repeated, because its first reply was lost. */
const repeatedRequests: Action[] = [
  { ...reserve, visitor: 1, repeated: true },
  reserve,
  { ...reserve, visitor: 1, flow: 0, repeated: true },
  { ...reserve, flow: 0, repeated: true },
];

/** An order in each state: accepted, refused, leased, pending. */
const openOrders: Action[] = [
  { ...reserve, address: 0, flow: 5, outcome: "settle" },
  { ...reserve, visitor: 1, flow: 6, outcome: "refuse" },
  { ...reserve, requestKey: 0, visitor: 1 },
  { ...reserve, visitor: 2, address: 2, flow: 2 },
  { name: "outcome", verb: "defer", handle: 3, reference: false, repeated: false },
  { name: "changeLimit", limit: 300, repeated: false },
];

/** Outcomes of the orders above, and requests of the same visitors. */
const outcomes: Action[] = [
  { ...reserve, requestKey: 0, visitor: 1 },
  { name: "outcome", verb: "settle", handle: 2, reference: true, repeated: false },
  { name: "wait", ms: 5_000 },
  { name: "claim", beforeMs: undefined, repeated: false },
  { ...reserve, flow: 3 },
];

describe.each(testTransports)("over $name", ({ name, start }) => {
  const transport = useTransport(start);

  /** Performs actions before and after a change of Redis. */
  async function perform(before: Action[], change?: () => Promise<void>) {
    const run = await LedgerRun.begin(transport);
    await run.performAll(before);
    await change?.();
    await run.performAll(outcomes);
    await run.finish();
  }

  it("agrees with its model after random actions", async () => {
    await compareWithModel(transport, { numRuns: name === "REST" ? 20 : 230, seed: 1 });
  }, 120_000);

  it("repeats the last allowed request of a minute", () => perform(repeatedRequests));

  it.each(["append-only file", "snapshot"])("continues with its %s alone", (file) =>
    perform(openOrders, () => restart(transport, file)),
  );
});

/** Kills Redis, deletes all its files except one, and starts it as docs/redis.md says. */
async function restart({ redis, server }: TestTransport, file: string): Promise<void> {
  const isSnapshot = file === "snapshot";
  // A busy Redis may write its append-only file up to two seconds late, unless it syncs every command.
  await redis.exec(isSnapshot ? ["SAVE"] : ["CONFIG", "SET", "appendfsync", "always"]);
  await server.kill();
  rmSync(join(server.dir, isSnapshot ? "appendonlydir" : "dump.rdb"), { recursive: true, force: true });
  await server.restart(isSnapshot ? ["--appendonly", "no"] : []);
  await until("Redis is back", () => redis.ping().then(Boolean, () => false));
  await redis.exec(["CONFIG", "SET", "appendonly", "yes"]);
}
