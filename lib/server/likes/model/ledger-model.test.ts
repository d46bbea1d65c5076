import fc from "fast-check";
import { testTransports, type TestTransport } from "@/e2e/support/test-transports";
import { foundCases } from "./test-found-cases";
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
    const numRuns = name === "REST" ? 50 : 450;
    await fc.assert(
      fc.asyncProperty(sequences, (list) => ledger.run(list)),
      { numRuns },
    );
  }, 120_000);
});
