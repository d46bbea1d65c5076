import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { cpus } from "node:os";
import { join } from "node:path";
import { startApp } from "@/e2e/support/app-server";
import { startRedis } from "@/e2e/support/redis-server";
import { Visitor } from "@/e2e/support/visitor";
import { measureSizes } from "./sizes";

/*
 * npm run bench: how fast the production build answers, as ratios measured side by side in one run, because machines
 * differ and are shared. The floors are the product's own blank answers: the health route for the API, a content page
 * for pages. Rounds alternate between the targets, so that noise meets all of them.
 */

const rounds = 5;
const requestsPerRound = 400;
const concurrency = 16;

interface Target {
  name: string;
  path: string;
  floor: string;
  headers?: Record<string, string>;
}

async function main(): Promise<void> {
  const redis = await startRedis();
  const app = await startApp({
    redisUrl: redis.url,
    env: { TRUSTED_IP_HEADER: "x-real-ip", BURST_LIMIT_SCALE: "1000000" },
  });
  try {
    console.log("Bytes of a first visit, compressed, and the scripts over those of a blank page:");
    console.table(await measureSizes(app));
    const visitor = new Visitor(app.url, { address: "198.18.0.1", fingerprint: "bench" });
    await visitor.startFlow();
    await visitor.visit("/verification/");
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const asVisitor = { "x-real-ip": "198.18.0.1", "x-visitor-fingerprint": "bench", cookie };
    const targets: Target[] = [
      { name: "API floor: health", path: "/api/health", floor: "/api/health" },
      { name: "daily-usage", path: "/api/instagram/daily-usage", floor: "/api/health" },
      { name: "status", path: "/api/instagram/status", floor: "/api/health", headers: asVisitor },
      {
        name: "post-details",
        path: "/api/instagram/post-details?id=Cxyz123abc_",
        floor: "/api/health",
        headers: asVisitor,
      },
      { name: "challenge", path: "/api/recaptcha/challenge", floor: "/api/health" },
      { name: "page floor: disclaimer", path: "/disclaimer", floor: "/disclaimer" },
      { name: "home", path: "/", floor: "/disclaimer" },
      { name: "get-likes, guarded", path: "/get-likes/", floor: "/disclaimer", headers: asVisitor },
      { name: "get-likes, no flow", path: "/get-likes/", floor: "/disclaimer" },
    ];
    report(targets, await measure(app.url, targets));
  } finally {
    await app.stop();
    await redis.stop();
  }
}

/** Requests per second of each round, by target. */
async function measure(baseUrl: string, targets: Target[]): Promise<Map<Target, number[]>> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const results = new Map<Target, number[]>(targets.map((target) => [target, []]));
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const target of targets) {
      const startedAt = performance.now();
      await runRound(`${baseUrl}${target.path}`, target.headers ?? {}, agent);
      const perSecond = requestsPerRound / ((performance.now() - startedAt) / 1_000);
      if (round > 0) results.get(target)?.push(perSecond);
    }
  }
  agent.destroy();
  return results;
}

async function runRound(url: string, headers: Record<string, string>, agent: Agent): Promise<void> {
  let left = requestsPerRound;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await get(url, headers, agent);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function get(url: string, headers: Record<string, string>, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent }, (response) => {
      response.resume();
      response.on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
      response.on("error", reject);
    })
      .on("error", reject)
      .end();
  });
}

function report(targets: Target[], results: Map<Target, number[]>): void {
  const medians = new Map(targets.map((target) => [target.path, median(results.get(target) ?? [])]));
  const rows = targets.map((target) => {
    const perSecond = median(results.get(target) ?? []);
    const ratio = perSecond / (medians.get(target.floor) ?? perSecond);
    return { name: target.name, perSecond: Math.round(perSecond), ratio: Number(ratio.toFixed(2)) };
  });
  for (const { name, perSecond, ratio } of rows) {
    process.stdout.write(`${name.padEnd(26)} ${String(perSecond).padStart(7)} /s   ${ratio.toFixed(2)}\n`);
  }
  const folder = join(process.cwd(), "bench", "results");
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length };
  const record = { at: new Date().toISOString(), machine, rounds, requestsPerRound, concurrency, rows };
  writeFileSync(join(folder, "latest.json"), `${JSON.stringify(record, null, 2)}\n`);
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

void main();
