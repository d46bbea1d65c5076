import fc from "fast-check";
import { testTransports } from "@/e2e/support/test-transports";
import { LedgerUnderTest, sequences } from "./ledger-actions";

/* npm run model runs more sequences, and prints how to replay a failure. */

it.each(testTransports)("agrees with its model after random actions, over $name", async ({ start }) => {
  const transport = await start();
  try {
    const ledger = new LedgerUnderTest(transport);
    await fc.assert(
      fc.asyncProperty(sequences, (list) => ledger.run(list)),
      { numRuns: 200 },
    );
  } finally {
    await transport.stop();
  }
});
