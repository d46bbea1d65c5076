import { Agent, request } from "node:http";

/** What is asked for again and again, and how it must be answered. */
export interface Target {
  name: string;
  /** The next request: each one new for what may happen once only. */
  next: () => { url: string; method?: string; headers?: Record<string, string>; body?: string };
}

/** How a target answered in one round. */
interface Round {
  perSecond: number;
  /** Milliseconds within which half of the answers came, and 99 of 100. */
  p50: number;
  p99: number;
}

/** How a target answered: the medians of its rounds. */
export interface Speed extends Round {
  /** Requests per second of each round: two targets are best compared round by round. */
  rounds: number[];
}

export interface LoadPlan {
  rounds: number;
  requestsPerRound: number;
  concurrency: number;
}

/** Puts load on targets, round after round. Throws at any answer but 200. */
export async function measureLoad(targets: Target[], plan: LoadPlan): Promise<Map<string, Speed>> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.concurrency });
  try {
    const rounds = await inRounds(targets, plan.rounds, (target) => runRound(target, plan, agent));
    return middle(rounds);
  } finally {
    agent.destroy();
  }
}

/**
 * Measures targets in turn, round after round, so that the noise of a shared machine meets all of them. A first round,
 * which warms up, is not counted. What was found for each, by its name.
 */
export async function inRounds<Each extends { name: string }, Found>(
  targets: Each[],
  rounds: number,
  measure: (target: Each) => Promise<Found>,
): Promise<Map<string, Found[]>> {
  const found = new Map<string, Found[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const target of targets) {
      const result = await measure(target);
      if (round > 0) found.get(target.name)?.push(result);
    }
  }
  return found;
}

/** How something compares with its floor. */
export interface Comparison {
  /** The median of the ratios round by round: what else the machine did in a round slowed both. */
  ratio: number;
  /** How far the ratios of single rounds lie from it: half of them at most so far. */
  noise: number;
}

/** Compares what was measured in turn, each value with the floor of its round. */
export function compare(values: number[], floors: number[]): Comparison {
  const ratios = values.map((value, round) => value / (floors[round] ?? NaN));
  const ratio = median(ratios);
  return { ratio, noise: median(ratios.map((each) => Math.abs(each - ratio))) };
}

function middle(rounds: Map<string, Round[]>): Map<string, Speed> {
  return new Map(
    [...rounds].map(([name, speeds]) => {
      const each = (figure: keyof Round) => speeds.map((speed) => speed[figure]);
      const [perSecond, p50, p99] = [median(each("perSecond")), median(each("p50")), median(each("p99"))];
      return [name, { perSecond, p50, p99, rounds: each("perSecond") }];
    }),
  );
}

async function runRound(target: Target, plan: LoadPlan, agent: Agent): Promise<Round> {
  const times: number[] = [];
  let left = plan.requestsPerRound;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const startedAt = performance.now();
      await ask(target, agent);
      times.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: plan.concurrency }, lane));
  const perSecond = times.length / ((performance.now() - startedAt) / 1_000);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
  return { perSecond, p50: at(0.5), p99: at(0.99) };
}

function ask(target: Target, agent: Agent): Promise<void> {
  const { url, method, headers, body } = target.next();
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent }, (response) => {
      response.resume();
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${target.name}: ${url} answered ${response.statusCode}`));
      });
    })
      .on("error", reject)
      .end(body);
  });
}

/** The middle one of some numbers. */
export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
