import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { sessionSecret, startServer } from "@/testing/servers/app-server";
import type { TestServers } from "@/testing/servers/test-servers";
import { standaloneFolder } from "./blank-app";
import { deployedBuild } from "./deployed-site";
import { compare, concurrency, inRounds, median, runConcurrently, send } from "./load";

const starts = 21;

/**
 * Starts the standalone outputs of the blank app and of the product in turn. Measures the time to the first response in
 * milliseconds, which needs Redis for the product, and the memory in MiB at rest and under load.
 */
export async function measureStartUp(servers: TestServers, blankFolder: string): Promise<object[]> {
  const env = { SESSION_SECRET: sessionSecret };
  const productEnv = {
    ...env,
    VISITOR_HASH_SECRET: "visitor-secret-of-the-bench-0123456789",
    REDIS_URL: servers.redis.url,
    TEST_RATE_LIMIT_SCALE: "1000000",
  };
  const blank = { name: "blank app", folder: standaloneFolder(blankFolder), path: "/", env };
  const path = "/api/instagram/daily-usage";
  const product = { name: "product", folder: deployedBuild, path, env: productEnv, target: 1.35 };
  const targets: (typeof blank & { target?: number })[] = [blank, product];
  const resultsOf = await inRounds(targets, starts, startOnce);
  const timesOf = (name: string) => resultsOf(name).map(({ firstResponse }) => firstResponse);
  return targets.map(({ name, target }) => ({
    name,
    firstResponse: median(timesOf(name)),
    ...compare(timesOf(name), timesOf(blank.name)),
    atRest: median(resultsOf(name).map(({ atRest }) => atRest)),
    underLoad: median(resultsOf(name).map(({ underLoad }) => underLoad)),
    target,
  }));
}

interface Target {
  folder: string;
  path: string;
  env: Record<string, string>;
}

async function startOnce({ folder, path, env }: Target) {
  const startedAt = performance.now();
  const server = await startServer({ folder, command: ["server.js"], path, env, intervalMs: 10 });
  const firstResponse = performance.now() - startedAt;
  try {
    await delay(500);
    const atRest = memoryOf(server.pid);
    await runConcurrently(1_000, concurrency, () => send({ url: server.url + path }));
    return { firstResponse, atRest, underLoad: memoryOf(server.pid) };
  } finally {
    await server.stop();
  }
}

/** Reads the memory of a process in MiB. */
function memoryOf(pid: number): number {
  const [, kiB] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kiB) / 1_024;
}
