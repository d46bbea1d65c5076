import type { Delivery } from "@/lib/server/delivery/delivery";
import { reconcile } from "./deliver-orders";
import type { Ledger } from "./ledger";

it("claims only orders that were due when the run began, and stops after three unknown outcomes", async () => {
  const claim = jest.fn(() =>
    Promise.resolve({ order: { state: "pending", tries: 2 }, abandoned: 0, now: 7 }),
  );
  const ledger = { claim, defer: (order: object) => Promise.resolve(order) } as unknown as Ledger;
  const delivery = { send: () => Promise.resolve({ outcome: "unknown" }) } as unknown as Delivery;
  expect(await reconcile(ledger, delivery)).toMatchObject({ tried: 3, stillPending: 3 });
  expect(claim.mock.calls).toEqual([[undefined], [7], [7]]);
});

it("continues after refusals", async () => {
  const orders = [1, 2, 3, 4, null];
  const claim = () => Promise.resolve({ order: orders.shift(), abandoned: 0, now: 7 });
  const ledger = { claim, refuse: () => Promise.resolve({ state: "refused" }) } as unknown as Ledger;
  const delivery = { send: () => Promise.resolve({ outcome: "refused" }) } as unknown as Delivery;
  expect(await reconcile(ledger, delivery)).toMatchObject({ tried: 4, refused: 4 });
});
