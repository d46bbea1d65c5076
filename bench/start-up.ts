import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { end, sessionSecret, watch } from "@/e2e/support/app-server";
import { freePort } from "@/e2e/support/ports";
import type { RedisServer } from "@/e2e/support/redis-server";
import { measureLoad, median } from "./load";

/** A way to start a server by its command, and what it is asked first. */
interface Start {
  name: string;
  folder: string;
  path: string;
  env: Record<string, string>;
}

export interface StartUpRow {
  name: string;
  /** Milliseconds from the start of the process to its first useful answer. */
  firstAnswer: number;
  /** Of the first row's time. */
  ratio: number;
  /** MiB of the process, at rest and after load. */
  atRest: number;
  underLoad: number;
}

const starts = 5;
const root = join(__dirname, "..");
const next = join("node_modules", "next", "dist", "bin", "next");

/** Starts the blank app and the product in turn, as `npm start` does. The product's first answer needs its Redis. */
export async function measureStartUp(blankFolder: string, redis: RedisServer): Promise<StartUpRow[]> {
  const session = { SESSION_SECRET: sessionSecret };
  const ways: Start[] = [
    { name: "blank app", folder: blankFolder, path: "/", env: session },
    {
      name: "product",
      folder: root,
      path: "/api/instagram/daily-usage",
      env: {
        ...session,
        VISITOR_HASH_SECRET: "visitor-secret-of-the-bench-0123456789",
        REDIS_URL: redis.url,
      },
    },
  ];
  const found = ways.map(() => [] as Awaited<ReturnType<typeof startOnce>>[]);
  for (let count = 0; count < starts; count += 1) {
    for (const [index, way] of ways.entries()) found[index]?.push(await startOnce(way));
  }
  const middle = (index: number, key: "firstAnswer" | "atRest" | "underLoad") =>
    median((found[index] ?? []).map((one) => one[key]));
  return ways.map(({ name }, index) => ({
    name,
    firstAnswer: middle(index, "firstAnswer"),
    ratio: middle(index, "firstAnswer") / middle(0, "firstAnswer"),
    atRest: middle(index, "atRest"),
    underLoad: middle(index, "underLoad"),
  }));
}

async function startOnce({ name, folder, path, env }: Start) {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [next, "start", "-p", String(port)], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      __NEXT_PROCESSED_ENV: "true",
      SITE_URL: `http://localhost:${port}`,
      ...env,
    },
    detached: true,
    stdio: "ignore",
  });
  const running = watch(child);
  try {
    const url = `http://localhost:${port}${path}`;
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(`${name} did not start.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const firstAnswer = performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 500));
    const atRest = residentMiB(child.pid);
    await measureLoad([{ name, next: () => ({ url }) }], {
      rounds: 1,
      requestsPerRound: 500,
      concurrency: 16,
    });
    return { firstAnswer, atRest, underLoad: residentMiB(child.pid) };
  } finally {
    await end(running, "SIGTERM");
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.arrayBuffer().then(() => answer.ok),
    () => false,
  );
}

/** Memory that a process holds, as Linux tells it. */
function residentMiB(pid: number | undefined): number {
  const [, kiB = "NaN"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kiB) / 1_024;
}
