import { getLedger } from ".";
import { createLedger } from "./ledger";

jest.mock("./ledger");
jest.mock("@/lib/server/redis/client");
jest.mock("@/lib/server/config/env", () => ({ getEnv: () => ({ delivery: {} }) }));
jest.mock("@/lib/server/delivery/delivery", () => ({ getDelivery: () => ({ timeoutMs: 30_000 }) }));

it("leases an order for longer than its delivery can take", () => {
  getLedger();
  expect(jest.mocked(createLedger).mock.calls[0]?.[1].leaseMs).toBeGreaterThan(30_000);
});
