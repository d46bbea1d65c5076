import { longestInteraction, timeInteractions } from "../support/browser/interactions";
import { machineIndex, slowdown } from "../support/browser/phone";
import { useRig } from "../support/rig";

const rig = useRig({ browser: true });

/* On a phone six times slower than a desktop. What is slow at every try is slow; two cores that others use are it once. */
it("answers each touch and key within 200 ms", async () => {
  const best = new Map<string, number>();
  for (let tries = 0; tries < 4; tries += 1) {
    const rate = slowdown(6, await machineIndex(rig.browser));
    for (const [kind, ms] of await timeInteractions(rig.browser, rig.app.url, rate))
      best.set(kind, Math.min(ms, best.get(kind) ?? Infinity));
    if (slow(best).length === 0) break;
  }
  expect(best.size).toBeGreaterThan(15);

  expect(slow(best)).toEqual([]);
}, 300_000);

const slow = (found: Map<string, number>) =>
  [...found].filter(([, ms]) => ms > longestInteraction).map(([kind, ms]) => `${kind}: ${ms} ms`);
