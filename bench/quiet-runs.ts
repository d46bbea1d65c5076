import { launchWholeBrowser } from "@/e2e/support/browser/browser";
import { machineIndex } from "@/e2e/support/browser/phone";
import { print } from "@/scripts/lib/terminal";

/** How much the machine's index may differ before and after a run that counts. */
const noiseAllowed = 1.25;
const triesPerRun = 8;

/**
 * Makes runs on a quiet machine: one during which the machine became slower or faster is not counted, and made again. Throws
 * when the machine is too noisy for that.
 *
 * @param run gets the machine's index (see e2e/support/browser/phone.ts)
 * @returns what so many runs found
 */
export async function quietRuns<Found>(
  count: number,
  run: (index: number) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  let before = await indexNow();
  for (let tries = 0; found.length < count; tries += 1) {
    if (tries === count * triesPerRun)
      throw new Error(`The machine is too noisy: ${tries} tries gave ${found.length} runs.`);
    const result = await run(before);
    const after = await indexNow();
    if (Math.max(before, after) > Math.min(before, after) * noiseAllowed)
      print(`Once more: the machine's index was ${before} before, and ${after} afterwards.`);
    else found.push(result);
    before = after;
  }
  return found;
}

async function indexNow(): Promise<number> {
  const browser = await launchWholeBrowser([]);
  try {
    return await machineIndex(browser);
  } finally {
    await browser.close();
  }
}
