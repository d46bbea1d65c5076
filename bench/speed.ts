import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { sealData } from "iron-session";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { sessionSecret, type AppServer } from "@/testing/servers/app-server";
import { postCode, postLink } from "@/testing/sample-posts";
import type { TestServers } from "@/testing/servers/test-servers";
import type { WebServer } from "@/testing/servers/web-server";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { pages } from "@/lib/http/pages";
import { createFlow } from "@/lib/server/cookies/flow-cookie";
import { compare, concurrency, inRounds, median, runConcurrently, send, type LoadRequest } from "./load";

const rounds = 11;
const requestsPerRound = 300;
const post = { postId: postCode, type: "post" } as const;

interface Target {
  name: string;
  /** Returns the next request. */
  next: () => LoadRequest;
  /** Name of the target of the blank app that this target is compared with. */
  floor?: string;
  /** Minimum of this target's requests per second, as a fraction of the floor's. */
  target?: number;
}

/** Compares pages and API of the product with the blank app, which has the session secret of the tests. */
export async function measureSpeed(servers: TestServers, blank: AppServer): Promise<object[]> {
  const env = { TEST_RATE_LIMIT_SCALE: "1000000", DAILY_LIKE_LIMIT: "100000000" };
  const app = await servers.start({ live: true, env });
  const targets = await createTargets(app.url, blank.url);
  const resultsOf = await inRounds(targets, rounds, ({ next }) =>
    runConcurrently(requestsPerRound, () => send(next())),
  );
  const speedsOf = (name: string) => resultsOf(name).map(({ perSecond }) => perSecond);
  return targets.map(({ name, floor, target }) => ({
    name,
    perSecond: median(speedsOf(name)),
    p50: median(resultsOf(name).map(({ p50 }) => p50)),
    p99: median(resultsOf(name).map(({ p99 }) => p99)),
    floor,
    ...(floor && compare(speedsOf(name), speedsOf(floor))),
    target,
  }));
}

async function createTargets(app: string, blank: string): Promise<Target[]> {
  const orders = await createVisitors();
  const lookups = await createVisitors();
  const headers = await visitorAtStep3();
  const cookie = `flow=${await sealData(createFlow(post), { password: sessionSecret })}`;
  const get = (name: string, url: string, options: Partial<Target> = {}, headers = {}): Target => ({
    name,
    next: () => ({ url, headers }),
    ...options,
  });
  const like = (url: string, headers: LoadRequest["headers"]) => ({
    url,
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ instagramUrl: postLink }),
  });
  const [page, guarded, route] = ["blank page", "blank page behind a guard", "blank route"] as const;
  return [
    get(page, blank),
    get("static page: disclaimer", `${app}/disclaimer`, { floor: page, target: 0.9 }),
    get("static page: home", app, { floor: page, target: 0.9 }),
    get(guarded, `${blank}/guarded`, {}, { cookie }),
    get(
      "flow page behind the guard: get-likes",
      `${app}/get-likes/`,
      { floor: guarded, target: 0.9 },
      headers,
    ),
    get(route, `${blank}/api/blank`),
    get("daily-usage", `${app}/api/instagram/daily-usage`, { floor: route, target: 0.8 }),
    get("status", `${app}/api/instagram/status`, { floor: route, target: 0.6 }, headers),
    {
      name: "post-details",
      next: () => ({ url: `${app}/api/instagram/post-details`, headers: lookups.pop() }),
      floor: route,
    },
    { name: "blank route, POST", next: () => like(`${blank}/api/blank`, headers) },
    {
      name: "like, Redis and webhook included",
      next: () => like(`${app}/api/instagram/like`, orders.pop()),
      floor: "blank route, POST",
      target: 0.35,
    },
  ];
}

/** One visitor for each request, because a visitor gets one order. */
function createVisitors(): Promise<Record<string, string>[]> {
  return Promise.all(Array.from({ length: (rounds + 1) * requestsPerRound }, visitorAtStep3));
}

/** Returns the headers of a new visitor whose post lookup succeeded. */
async function visitorAtStep3(): Promise<Record<string, string>> {
  const visitor = await newVisitorInFlow("", post, {
    visited: [pages.verification.path, pages.getLikes.path],
  });
  const { address = "" } = visitor.options;
  return {
    "x-real-ip": address,
    "x-visitor-fingerprint": `fingerprint of ${address}`,
    cookie: visitor.cookieHeader(),
  };
}

/** Compares pages that Caddy serves from files with the blank page that Caddy proxies, in requests per second. */
export async function measureDeployedSpeed(site: WebServer, blank: WebServer): Promise<object[]> {
  const target = 8;
  const targets: { name: string; url: string; target?: number }[] = [
    { name: "blank page", url: blank.url },
    { name: "home", url: site.url, target },
    { name: "faq", url: site.url + pages.faq.path, target },
    { name: "disclaimer", url: site.url + pages.disclaimer.path, target },
    { name: "empty response from Caddy", url: `${blank.url}/empty` },
  ];
  const speedsOf = await inRounds(targets, rounds, ({ url }) => runH2load(url));
  return targets.map(({ name, target }) => ({
    name,
    perSecond: median(speedsOf(name)),
    ...compare(speedsOf(name), speedsOf("blank page")),
    target,
  }));
}

/**
 * Loads a URL with h2load, which is faster than a load generator in Node. Returns the number of requests per second. Throws
 * if a request failed, or if a response is a redirect or an error.
 */
async function runH2load(url: string): Promise<number> {
  const args = [
    ...["--h1", "--clients", String(concurrency), "--duration", "1", "--warm-up-time", "200ms"],
    ...["--connect-to", `127.0.0.1:${new URL(url).port}`, "--header", "accept-encoding: br, gzip", url],
  ];
  const { stdout } = await promisify(execFile)(requireProgram("h2load"), args);
  const [, perSecond] = /^finished in \S+, ([\d.]+) req\/s/m.exec(stdout) ?? [];
  const isGood = /, 0 errored, 0 timeout$/m.test(stdout) && /, 0 3xx, 0 4xx, 0 5xx$/m.test(stdout);
  if (!isGood || !Number(perSecond)) throw new Error(`Requests to ${url} failed:\n${stdout}`);
  return Number(perSecond);
}
