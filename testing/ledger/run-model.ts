import { parseArgs } from "node:util";
import { print, runTool } from "@/cli/terminal";
import { testTransports } from "@/testing/test-transports";
import { compareWithModel } from "./ledger-run";

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

runTool(async () => {
  for (const { name, start } of testTransports) {
    const transport = await start();
    const numRuns = Math.ceil(Number(options.runs) * (name === "REST" ? 0.2 : 0.8));
    try {
      await compareWithModel(transport, { numRuns, seed: Number(options.seed), path: options.path });
    } finally {
      await transport.stop();
    }
    print(`${name}: ${numRuns} sequences, 0 failures, seed ${options.seed}`);
  }
  return 0;
});
