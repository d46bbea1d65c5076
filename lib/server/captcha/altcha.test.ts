import { solveChallenge, type Challenge } from "altcha-lib";
import { deriveKey } from "@/testing/visitor";
import { createAltcha } from "./altcha";
import { altchaDifficulty } from "@/lib/config/captcha";

const secret = "secret-of-the-tests-0123456789-0123456789";
/** Provider with one PBKDF2 round per try. The tests only count tries, so the tries may be cheap. */
const altcha = createAltcha([secret], 1);

async function solve(provider = altcha) {
  const challenge = (await provider.createChallenge?.()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error("the challenge was not solved");
  return { challenge, solution };
}

const encodeToken = (solved: object | null) => Buffer.from(JSON.stringify(solved)).toString("base64");

it("distributes the solution evenly over all tries, so that a bot cannot skip any try", async () => {
  const { tries } = altchaDifficulty;
  const counters: number[] = [];
  for (let n = 0; n < 100; n += 1) counters.push((await solve()).solution.counter);
  const mean = counters.reduce((sum, counter) => sum + counter, 0) / counters.length;
  // The mean of evenly distributed solutions is half the number of tries. Allows five standard errors.
  expect(Math.abs(mean / tries - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / counters.length));
  expect(Math.min(...counters) / tries).toBeLessThan(0.1);
  expect(Math.max(...counters) / tries).toBeGreaterThan(0.9);
  expect(Math.max(...counters)).toBeLessThan(tries);
}, 60_000);

it("rejects tokens that are changed, foreign, old, from the future or malformed", async () => {
  const solved = await solve();
  // Without expiresInSeconds, which decreases between two checks.
  const { outcome, uniqueId } = (await altcha.check(encodeToken(solved), "")) as Record<string, unknown>;
  expect(outcome).toBe("passed");
  // The time is not signed. A solved challenge has one id, so that it counts once.
  const timed = { ...solved, solution: { ...solved.solution, time: 1 } };
  expect(await altcha.check(encodeToken(timed), "")).toMatchObject({ outcome, uniqueId });
  const rotated = createAltcha([`new-${secret}`, secret], 1);
  expect(await rotated.check(encodeToken(solved), "")).toMatchObject({ outcome: "passed" });
  const changed = (change: object) => {
    const { parameters, ...challenge } = solved.challenge;
    return { ...solved, challenge: { ...challenge, parameters: { ...parameters, ...change } } };
  };
  const at = (ms: number) => createAltcha([secret], 1, undefined, () => Date.now() + ms);
  const nested = Buffer.from("[".repeat(9_000)).toString("base64");
  for (const [token, reason] of [
    [changed({ expiresAt: solved.challenge.parameters.expiresAt! + 1 }), "wrong"],
    [changed({ cost: 2 }), "wrong"],
    [changed({ added: 1 }), "malformed"],
    [await solve(createAltcha([`another-${secret}`], 1)), "wrong"],
    [await solve(at(-21 * 60_000)), "expired"],
    [await solve(at(86_400_000)), "from the future"],
    ...["null", nested, null, { challenge: {}, solution: {} }].map((token) => [token, "malformed"] as const),
    [{ challenge: { parameters: { cost: 1e9 } }, solution: { counter: 1e308 } }, "malformed"],
    [{ constructor: { prototype: {} } }, "malformed"],
  ] as const) {
    const text = typeof token === "string" ? token : encodeToken(token);
    expect(await altcha.check(text, "")).toEqual({ outcome: "rejected", reason });
  }
});
