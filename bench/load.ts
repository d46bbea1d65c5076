import { Agent, request } from "node:http";

export const concurrency = 16;
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

export interface LoadRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Calls `work` `count` times, at most `concurrency` calls at once. Returns the calls per second, and percentiles of the duration
 * of a call in milliseconds.
 */
export async function runConcurrently(count: number, work: () => Promise<void>) {
  const times: number[] = [];
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const startedAt = performance.now();
      await work();
      times.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  return { perSecond, p50: median(times), p99: percentile(times, 0.99) };
}

/** Sends a request on an open connection. Throws if the status of the response is not 200. */
export function send({ url, body, ...options }: LoadRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent }, (response) => {
      response.resume();
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} sent status ${response.statusCode}`));
      });
    })
      .on("error", reject)
      .end(body);
  });
}

/**
 * Measures the targets in turn in each round, so that noise of the machine affects all targets. Does not count the first
 * round, which warms up the servers. Returns a function from the name of a target to its results.
 */
export async function inRounds<Target extends { name: string }, Result>(
  targets: Target[],
  rounds: number,
  measure: (target: Target) => Promise<Result>,
): Promise<(name: string) => Result[]> {
  const results = new Map<string, Result[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const target of targets) {
      const result = await measure(target);
      if (round > 0) results.get(target.name)?.push(result);
    }
  }
  return (name) => results.get(name) ?? [];
}

/**
 * Compares each value with the floor of the same round. Returns the median of the ratios, and the noise: half of the
 * ratios differ from the median by at most the noise.
 */
export function compare(values: number[], floors: number[]): { ratio: number; noise: number } {
  const ratios = values.map((value, round) => value / (floors[round] ?? NaN));
  const ratio = median(ratios);
  return { ratio, noise: median(ratios.map((each) => Math.abs(each - ratio))) };
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

/** The share is between 0 and 1. Returns one of the values, or NaN if there are none. */
function percentile(values: number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.round(share * (values.length - 1))] ?? NaN;
}
