import { launchWholeBrowser } from "@/e2e/support/browser/browser";
import { machineIndex } from "@/e2e/support/browser/phone";
import { print } from "@/scripts/lib/terminal";

/** Maximum ratio between the machine's indexes before and after a run. */
const maxIndexRatio = 1.25;
const triesPerRun = 8;

/** Parses the value of `--runs`. */
export function parseRuns(value: string): number {
  const runs = Number(value);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs needs a number of at least 1.");
  return runs;
}

/**
 * Returns the results of `count` runs. Repeats a run during which the machine became slower or faster. Throws if the
 * machine is too noisy.
 *
 * @param run gets the machine's index (see e2e/support/browser/phone.ts)
 */
export async function quietRuns<Result>(
  count: number,
  run: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let before = await readIndex();
  for (let tries = 0; results.length < count; tries += 1) {
    if (tries === count * triesPerRun)
      throw new Error(`The machine is too noisy: ${tries} tries gave ${results.length} runs.`);
    const result = await run(before);
    const after = await readIndex();
    if (Math.max(before, after) > Math.min(before, after) * maxIndexRatio)
      print(`Repeats the run: the machine's index was ${before} before and ${after} after it.`);
    else results.push(result);
    before = after;
  }
  return results;
}

async function readIndex(): Promise<number> {
  const browser = await launchWholeBrowser([]);
  try {
    return await machineIndex(browser);
  } finally {
    await browser.close();
  }
}
