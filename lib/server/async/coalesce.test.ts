import { setImmediate as nextTurn } from "node:timers/promises";
import { coalesce } from "./coalesce";

it("runs `work` once per event-loop turn, even while an earlier run is pending", async () => {
  const started: ((result: number) => void)[] = [];
  const load = coalesce(() => new Promise<number>((resolve) => started.push(resolve)));
  const first = [load(), load()];
  expect(started).toHaveLength(0);
  await nextTurn();
  const second = load();
  await nextTurn();
  expect(started).toHaveLength(2);
  started.forEach((resolve, index) => resolve(index));
  expect(await Promise.all([...first, second])).toEqual([0, 0, 1]);
});

it("rejects all coalesced calls with the same error, and retries on the next call", async () => {
  let tries = 0;
  const load = coalesce(() => Promise.reject(new Error(`try ${++tries}`)));
  await expect(Promise.allSettled([load(), load()])).resolves.toMatchObject([
    { reason: { message: "try 1" } },
    { reason: { message: "try 1" } },
  ]);
  await expect(load()).rejects.toThrow("try 2");
});
