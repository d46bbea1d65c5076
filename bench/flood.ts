import { setTimeout as delay } from "node:timers/promises";
import type { TestServers } from "@/e2e/support/servers/test-servers";
import { postCode } from "@/e2e/support/sample-posts";
import { Visitor } from "@/e2e/support/visitor";
import { pages, previewPath } from "@/lib/http/pages";
import { runH2load, startDeployedSite } from "./deployed-site";
import { median, percentile } from "./load";

const rounds = 5;
const secondsPerRound = 5;
const pagesPerSecond = 90;

/**
 * Measures API response times of a visitor while another client opens pages of the flow 90 times per second. Times are in
 * milliseconds, and medians of the rounds.
 */
export async function measureFlood(servers: TestServers, database: number): Promise<object[]> {
  const { url } = await startDeployedSite(servers, { database });
  const flood = await prepareFlood(url);
  const visitor = new Visitor(url);
  await measureResponses(visitor);
  const found: { idleP99: number; floodWorst: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const idle = await measureResponses(visitor);
    // The start of h2load takes processor time.
    const [busy] = await Promise.all([delay(500).then(() => measureResponses(visitor)), flood()]);
    found.push({ idleP99: percentile(idle, 0.99), floodWorst: Math.max(...busy) });
  }
  await servers.stopApps();
  return [
    {
      name: "Caddy",
      idleP99: median(found.map(({ idleP99 }) => idleP99)),
      floodWorst: median(found.map(({ floodWorst }) => floodWorst)),
      ratio: median(found.map(({ idleP99, floodWorst }) => floodWorst / idleP99)),
      target: 3,
    },
  ];
}

/** Returns a function that opens all pages of the flow in turn, with the cookie of a visitor who has a receipt. */
async function prepareFlood(url: string): Promise<() => Promise<unknown>> {
  const visitor = new Visitor(url, { fingerprint: url });
  await visitor.startFlow();
  for (const { path } of [pages.verification, pages.getLikes]) await visitor.visit(path);
  await visitor.like();
  const flowPages = [pages.verification, pages.getLikes, pages.success, pages.privateAccountError, pages.faq];
  const paths = [...flowPages.map(({ path }) => path), previewPath(postCode)];
  const cookies = visitor.sentCookies().map((pair) => pair.join("="));
  const options = [
    // One client with HTTP/2 sends the requests at equal intervals, and does not wait for responses.
    ...["--clients", "1", "--max-concurrent-streams", "100", "--rps", String(pagesPerSecond)],
    ...["--requests", String(pagesPerSecond * (secondsPerRound + 1))],
    ...["--header", `cookie: ${cookies.join("; ")}`, "--header", "user-agent: flood"],
  ];
  const urls = paths.map((path) => url + path);
  return () => runH2load(urls, options, { anyResponse: true });
}

/** Sends 20 API requests per second. Returns the response times in milliseconds. */
function measureResponses(visitor: Visitor): Promise<number[]> {
  const paths = ["/api/instagram/status", "/api/instagram/daily-usage"];
  const requests = Array.from({ length: secondsPerRound * 20 }, async (_, index) => {
    await delay(index * 50);
    const startedAt = performance.now();
    const { status } = await visitor.get(paths[index % paths.length] ?? "");
    if (status !== 200) throw new Error(`The API responded with ${status}`);
    return performance.now() - startedAt;
  });
  return Promise.all(requests);
}
