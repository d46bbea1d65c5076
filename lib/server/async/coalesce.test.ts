import { setImmediate as nextTurn } from "node:timers/promises";
import { coalesce } from "./coalesce";

it("works once for all who ask in one turn, and again for whoever asks later, also while the first still waits", async () => {
  const begun: ((answer: number) => void)[] = [];
  const ask = coalesce(() => new Promise<number>((resolve) => begun.push(resolve)));
  const first = [ask(), ask()];
  expect(begun).toHaveLength(0);
  await nextTurn();
  const second = ask();
  await nextTurn();
  expect(begun).toHaveLength(2);
  begun.forEach((resolve, answer) => resolve(answer));
  expect(await Promise.all([...first, second])).toEqual([0, 0, 1]);
});

it("tells all of them what failed, and tries again for the next", async () => {
  let tries = 0;
  const ask = coalesce(() => Promise.reject(new Error(`try ${++tries}`)));
  await expect(Promise.allSettled([ask(), ask()])).resolves.toMatchObject([
    { reason: { message: "try 1" } },
    { reason: { message: "try 1" } },
  ]);
  await expect(ask()).rejects.toThrow("try 2");
});
