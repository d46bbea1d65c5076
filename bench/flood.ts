import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startApp } from "@/e2e/support/servers/app-server";
import { buildsFolder } from "@/e2e/support/servers/builds";
import { freePort } from "@/e2e/support/ports";
import type { RedisServer } from "@/e2e/support/servers/redis-server";
import { Rig } from "@/e2e/support/rig";
import { postCode } from "@/e2e/support/sample-posts";
import { Visitor } from "@/e2e/support/visitor";
import { behindWebServer, startCaddy, startNginx } from "@/e2e/support/servers/web-server";
import { pages, previewPath } from "@/lib/http/pages";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { median } from "./load";

/** API response times of another visitor through a web server, in milliseconds. Medians of the rounds. */
export interface FloodRow {
  name: string;
  /** 99 % of the responses are faster than this while the site is idle. */
  idleP99: number;
  /** The slowest response during the flood. */
  floodWorst: number;
  ratio: number;
  target: number;
}

const rounds = 5;
const secondsPerRound = 5;
const pagesPerSecond = 90;
const target = 3;

/** Measures the API while one client opens pages of the flow 90 times per second. */
export async function measureFlood(redis: RedisServer): Promise<FloodRow[]> {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const rows: FloodRow[] = [];
  for (const [name, start] of Object.entries({ Caddy: startCaddy, nginx: startNginx })) {
    const rig = new Rig();
    const folder = mkdtempSync(join(tmpdir(), "flood-"));
    try {
      const [port, upstream] = [await freePort(), await freePort()];
      const env = { ...behindWebServer(port), BURST_LIMIT_SCALE: "1000000" };
      await rig.keep(startApp({ build: "deployed", port: upstream, redisUrl: redis.url, env }));
      const release = join(__dirname, "..", buildsFolder, "deployed");
      const site = await rig.keep(start({ release, upstream, port }));
      const flood = await prepareFlood(site.url, join(folder, "urls"));
      const visitor = new Visitor(site.url);
      await measureResponses(visitor);
      const found: { idle: number; worst: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const idle = await measureResponses(visitor);
        const flooded = flood();
        // The start of h2load takes processor time.
        await new Promise((resolve) => setTimeout(resolve, 500));
        const busy = await measureResponses(visitor);
        await flooded;
        found.push({ idle: idle[Math.floor(0.99 * (idle.length - 1))] ?? NaN, worst: busy.at(-1) ?? NaN });
      }
      rows.push({
        name,
        idleP99: median(found.map(({ idle }) => idle)),
        floodWorst: median(found.map(({ worst }) => worst)),
        ratio: median(found.map(({ idle, worst }) => worst / idle)),
        target,
      });
    } finally {
      await rig.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

/** Returns a function that opens all pages of the flow in turn, with the cookie of a visitor who has a receipt. */
async function prepareFlood(url: string, urlFile: string): Promise<() => Promise<unknown>> {
  const visitor = new Visitor(url, { fingerprint: "flood" });
  await visitor.startFlow();
  for (const { path } of [pages.verification, pages.getLikes]) await visitor.visit(path);
  await visitor.like();
  const paths = [pages.verification, pages.getLikes, pages.success, pages.privateAccountError, pages.faq].map(
    ({ path }) => path,
  );
  writeFileSync(urlFile, [...paths, previewPath(postCode)].map((path) => `${url}${path}\n`).join(""));
  const cookie = visitor
    .sentCookies()
    .map((pair) => pair.join("="))
    .join("; ");
  const args = [
    // One client with HTTP/2 sends the requests at equal intervals, and does not wait for responses.
    ...["--clients", "1", "--max-concurrent-streams", "100", "--rps", String(pagesPerSecond)],
    ...["--requests", String(pagesPerSecond * (secondsPerRound + 1)), "--input-file", urlFile],
    ...["--connect-to", `127.0.0.1:${new URL(url).port}`, "--header", `cookie: ${cookie}`],
    ...["--header", "user-agent: flood", "--header", "accept-encoding: br, gzip"],
  ];
  return async () => {
    const { stdout } = await promisify(execFile)(requireProgram("h2load"), args);
    if (!/, 0 failed, 0 errored, 0 timeout$/m.test(stdout)) throw new Error(`The flood failed:\n${stdout}`);
  };
}

/** Sends 20 API requests per second. Returns the response times in milliseconds, in ascending order. */
async function measureResponses(visitor: Visitor): Promise<number[]> {
  const paths = ["/api/instagram/status", "/api/instagram/daily-usage"];
  const requests = Array.from({ length: secondsPerRound * 20 }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 50));
    const startedAt = performance.now();
    const { status } = await visitor.get(paths[index % paths.length] ?? "");
    if (status !== 200) throw new Error(`The API responded with ${status}`);
    return performance.now() - startedAt;
  });
  return (await Promise.all(requests)).sort((a, b) => a - b);
}
