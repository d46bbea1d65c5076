import { parseArgs } from "node:util";
import fc from "fast-check";
import { testTransports, type TestTransport } from "@/e2e/support/test-transports";
import { LedgerUnderTest, sequences } from "@/lib/server/likes/model/test-ledger-actions";

/*
 * npm run model: compares the ledger with its model after random actions. Options: --runs N (sequences, default 1,000; a
 * fifth of them over REST), --seed N and --path P (replay a failure).
 */
const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    path: { type: "string" },
  },
});
const seed = Number(options.seed);

async function main(): Promise<void> {
  for (const { name, start } of testTransports) {
    const transport = await start();
    try {
      await compare(name, transport);
    } finally {
      await transport.stop();
    }
  }
}

async function compare(name: string, transport: TestTransport): Promise<void> {
  const runs = Math.ceil(Number(options.runs) * (name === "REST" ? 0.2 : 0.8));
  const began = performance.now();
  const ledger = new LedgerUnderTest(transport);
  await fc.assert(property(ledger), { numRuns: runs, seed, path: options.path });
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${name}: ${runs} sequences, 0 failures, ${seconds} s, seed ${seed}`);
}

function property(ledger: LedgerUnderTest) {
  return fc.asyncProperty(sequences, (sequence) => ledger.run(...sequence));
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
