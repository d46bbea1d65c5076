import { pbkdf2Sync } from "node:crypto";
import { solveChallenge, type Challenge, type DeriveKeyFunction } from "altcha-lib";
import { AppError } from "@/lib/http/errors";
import { createAltcha } from "./altcha";
import { altchaDifficulty, maxWorkFactor, workFactor } from "@/lib/config/captcha-difficulty";
import { challengeWork } from "./challenge-work";

/** One round a try: how many tries there are is what counts here. */
const altcha = createAltcha(["secret-of-the-tests-0123456789-0123456789"], 1);
const visitor = { visitorHashes: [], addressHashes: [], networks: [], cookieId: null };

/** As altcha-lib's own, without a turn of the event loop for each of some 100,000 tries. */
const deriveKey: DeriveKeyFunction = ({ cost }, salt, password) =>
  Promise.resolve({ derivedKey: new Uint8Array(pbkdf2Sync(password, salt, cost, 32, "sha256")) });

async function solve(work?: number) {
  const challenge = (await altcha.createChallenge?.(work)) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error("it was not solved");
  return { challenge, solution };
}

const tokenOf = (solved: object) => Buffer.from(JSON.stringify(solved)).toString("base64");

it.each([undefined, maxWorkFactor])(
  "work of %s: the answer lies anywhere from the first try on, so that nothing can be skipped",
  async (work) => {
    const tries = altchaDifficulty.tries * (work ?? 1);
    const counters: number[] = [];
    for (let n = 0; n < 100; n += 1) counters.push((await solve(work)).solution.counter);
    const mean = counters.reduce((sum, counter) => sum + counter, 0) / counters.length;
    // Half of the tries on average, within five times the deviation of such a mean.
    expect(Math.abs(mean / tries - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / counters.length));
    expect(Math.min(...counters) / tries).toBeLessThan(0.1);
    expect(Math.max(...counters) / tries).toBeGreaterThan(0.9);
    expect(Math.max(...counters)).toBeLessThan(tries);
  },
  60_000,
);

it("a grown price is sealed in the challenge, costs the server no more, and counts when it has fallen since", async () => {
  const solved = await solve(3);
  expect(solved.challenge.parameters).toMatchObject({
    cost: 1,
    data: { work: 3, tries: altchaDifficulty.tries * 3 },
  });
  expect((await altcha.check(tokenOf(solved), "")).outcome).toBe("passed");
  const { parameters } = solved.challenge;
  for (const data of [undefined, { work: 1, tries: 1 }, { work: 3, tries: 1 }]) {
    const forged = { ...solved, challenge: { ...solved.challenge, parameters: { ...parameters, data } } };
    expect((await altcha.check(tokenOf(forged), "")).outcome).toBe("rejected");
  }
  expect((await solve()).challenge.parameters.data).toBeUndefined();
});

it("costs the server one try to make, and less to refuse a forged solution of, whatever the price", async () => {
  const usual = createAltcha(["secret-of-the-tests-0123456789-0123456789"]);
  const cpuMs = async (work: () => unknown) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const challenge = (await usual.createChallenge?.(maxWorkFactor)) as Challenge;
  const forged = tokenOf({ challenge, solution: { counter: 1, derivedKey: "0".repeat(64) } });
  const works = [
    () => pbkdf2Sync("password", "salt of 16 bytes", altchaDifficulty.cost, 32, "sha256"),
    () => usual.createChallenge!(maxWorkFactor),
    () => usual.check(forged, ""),
  ];
  // The cheapest of many rounds, in turn: a busy machine makes most of them look dearer than they are.
  let cheapest = works.map(() => Infinity);
  const holds = ([one = NaN, make = NaN, refuse = NaN]: number[]) => make < 2 * one && refuse < one;
  for (let round = 0; round < 25 || (round < 250 && !holds(cheapest)); round += 1) {
    const times: number[] = [];
    for (const work of works) times.push(await cpuMs(work));
    cheapest = cheapest.map((ms, index) => Math.min(ms, times[index] ?? ms));
  }
  const [one = NaN, make = NaN, refuse = NaN] = cheapest;
  expect((await usual.check(forged, "")).outcome).toBe("rejected");
  expect(make).toBeLessThan(2 * one);
  expect(refuse).toBeLessThan(one);
});

it.each([
  [0, 1],
  [0.25, 1],
  [0.26, 2],
  [0.5, 2],
  [0.75, 3],
  [0.76, 4],
  [1, 4],
  [7, 4],
])("networks that have used %d of a cap pay %d times the normal work", async (use, work) => {
  expect(workFactor(use)).toBe(work);
  expect(await challengeWork(visitor, { use: () => Promise.resolve(use) })).toBe(work);
});

it("the price is the normal one without Redis, and any other fault is no price", async () => {
  const failing = (error: Error) => challengeWork(visitor, { use: () => Promise.reject(error) });
  expect(await failing(new AppError("service_unavailable"))).toBe(1);
  await expect(failing(new Error("a bug"))).rejects.toThrow("a bug");
});
