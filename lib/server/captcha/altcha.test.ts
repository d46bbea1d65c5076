import { pbkdf2Sync } from "node:crypto";
import { solveChallenge, type Challenge, type DeriveKeyFunction } from "altcha-lib";
import { AppError } from "@/lib/http/errors";
import { createAltcha } from "./altcha";
import { altchaDifficulty, maxWorkFactor, workFactor } from "@/lib/config/captcha-difficulty";
import { challengeWork } from "./challenge-work";

/** Provider with one PBKDF2 round per try. The tests only count tries, so the tries may be cheap. */
const altcha = createAltcha(["secret-of-the-tests-0123456789-0123456789"], 1);
const visitor = { visitorHashes: [], addressHashes: [], networks: [], rateLimitId: null };

/** Replaces altcha-lib's `deriveKey`, which is slow because it waits for an event-loop tick in every try. */
const deriveKey: DeriveKeyFunction = ({ cost }, salt, password) =>
  Promise.resolve({ derivedKey: new Uint8Array(pbkdf2Sync(password, salt, cost, 32, "sha256")) });

async function solve(work?: number) {
  const challenge = (await altcha.createChallenge?.(work)) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error("the challenge was not solved");
  return { challenge, solution };
}

const encodeToken = (solved: object) => Buffer.from(JSON.stringify(solved)).toString("base64");

it.each([undefined, maxWorkFactor])(
  "distributes the solution evenly over all tries, so that a bot cannot skip any try (work factor %s)",
  async (work) => {
    const tries = altchaDifficulty.tries * (work ?? 1);
    const counters: number[] = [];
    for (let n = 0; n < 100; n += 1) counters.push((await solve(work)).solution.counter);
    const mean = counters.reduce((sum, counter) => sum + counter, 0) / counters.length;
    // The mean of evenly distributed solutions is half the number of tries. Allows five standard errors.
    expect(Math.abs(mean / tries - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / counters.length));
    expect(Math.min(...counters) / tries).toBeLessThan(0.1);
    expect(Math.max(...counters) / tries).toBeGreaterThan(0.9);
    expect(Math.max(...counters)).toBeLessThan(tries);
  },
  60_000,
);

it("signs the work factor, so that a client cannot change it", async () => {
  const solved = await solve(3);
  expect(solved.challenge.parameters).toMatchObject({
    cost: 1,
    data: { work: 3, tries: altchaDifficulty.tries * 3 },
  });
  expect((await altcha.check(encodeToken(solved), "")).outcome).toBe("passed");
  const { parameters } = solved.challenge;
  for (const data of [undefined, { work: 1, tries: 1 }, { work: 3, tries: 1 }]) {
    const forged = { ...solved, challenge: { ...solved.challenge, parameters: { ...parameters, data } } };
    expect((await altcha.check(encodeToken(forged), "")).outcome).toBe("rejected");
  }
  expect((await solve()).challenge.parameters.data).toBeUndefined();
});

it("creates a challenge in less time than two tries, and rejects a forged solution in less than one try", async () => {
  const provider = createAltcha(["secret-of-the-tests-0123456789-0123456789"]);
  const cpuMs = async (work: () => unknown) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const challenge = (await provider.createChallenge?.(maxWorkFactor)) as Challenge;
  const forged = encodeToken({ challenge, solution: { counter: 1, derivedKey: "0".repeat(64) } });
  const operations = [
    () => pbkdf2Sync("password", "salt of 16 bytes", altchaDifficulty.cost, 32, "sha256"),
    () => provider.createChallenge!(maxWorkFactor),
    () => provider.check(forged, ""),
  ];
  // On a busy machine, most measurements are too high. The test compares the lowest of many measurements.
  let fastest = operations.map(() => Infinity);
  const isFastEnough = ([oneTry = NaN, create = NaN, reject = NaN]: number[]) =>
    create < 2 * oneTry && reject < oneTry;
  for (let round = 0; round < 25 || (round < 250 && !isFastEnough(fastest)); round += 1) {
    const times: number[] = [];
    for (const operation of operations) times.push(await cpuMs(operation));
    fastest = fastest.map((ms, index) => Math.min(ms, times[index] ?? ms));
  }
  const [oneTry = NaN, create = NaN, reject = NaN] = fastest;
  expect((await provider.check(forged, "")).outcome).toBe("rejected");
  expect(create).toBeLessThan(2 * oneTry);
  expect(reject).toBeLessThan(oneTry);
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
])("raises the work factor with network usage: for %d of the cap, it is %d", async (use, work) => {
  expect(workFactor(use)).toBe(work);
  expect(await challengeWork(visitor, { networkUsage: () => Promise.resolve(use) })).toBe(work);
});

it("returns the normal work factor when Redis is down, and rethrows other errors", async () => {
  const failing = (error: Error) => challengeWork(visitor, { networkUsage: () => Promise.reject(error) });
  expect(await failing(new AppError("service_unavailable"))).toBe(1);
  await expect(failing(new Error("a bug"))).rejects.toThrow("a bug");
});
