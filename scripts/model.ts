import { parseArgs } from "node:util";
import fc from "fast-check";
import { testTransports } from "@/e2e/support/test-transports";
import { LedgerUnderTest, sequences } from "@/lib/server/likes/model/ledger-actions";

/*
 * npm run model: compares the ledger with its model after random actions, over each transport.
 * Options: --runs N (sequences per transport, default 1,000), --seed N and --path P (replay a failure).
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "1000" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      path: { type: "string" },
    },
  });
  const seed = Number(values.seed);
  for (const { name, start } of testTransports) {
    const transport = await start();
    const ledger = new LedgerUnderTest(transport);
    const began = performance.now();
    try {
      await fc.assert(
        fc.asyncProperty(sequences, (list) => ledger.run(list)),
        { numRuns: Number(values.runs), seed, path: values.path },
      );
    } finally {
      await transport.stop();
    }
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.log(`${name}: ${values.runs} sequences, 0 failures, ${seconds} s, seed ${seed}`);
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
