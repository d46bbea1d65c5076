import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildsFolder } from "@/testing/servers/builds";
import { freePort } from "@/scripts/lib/ports.mjs";
import type { TestServers } from "@/testing/servers/test-servers";
import { behindWebServer, siteUrl, startCaddy, type WebServer } from "@/testing/servers/web-server";
import { pages } from "@/lib/http/pages";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { compare, concurrency, inRounds, median } from "./load";

/** Folder of the standalone output for a machine with a web server. */
export const deployedBuild = join(__dirname, "..", buildsFolder, "deployed");

/** Starts the deployed build behind a web server with the shipped configuration. */
export async function startDeployedSite(
  servers: TestServers,
  { port, database }: { port?: number; database?: number } = {},
): Promise<WebServer> {
  // The certificate of the web server is self-signed.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const sitePort = port ?? (await freePort());
  // The setting must not contain the default port.
  const SITE_URL = new URL(siteUrl(sitePort)).origin;
  const env = { ...behindWebServer(sitePort), SITE_URL, TEST_RATE_LIMIT_SCALE: "1000000" };
  const app = await servers.start({ build: "deployed", database, env });
  return servers.keep(startCaddy({ release: deployedBuild, upstream: app.port, port: sitePort }));
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
  const options = ["--h1", "--clients", String(concurrency), "--duration", "1", "--warm-up-time", "200ms"];
  const speedsOf = await inRounds(targets, 11, ({ url }) => runH2load(url, options));
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
async function runH2load(url: string, options: string[]): Promise<number> {
  const connection = ["--connect-to", `127.0.0.1:${new URL(url).port}`];
  const headers = ["--header", "accept-encoding: br, gzip"];
  const args = [...options, ...connection, ...headers, url];
  const { stdout } = await promisify(execFile)(requireProgram("h2load"), args);
  const [, perSecond] = /^finished in \S+, ([\d.]+) req\/s/m.exec(stdout) ?? [];
  const isGood = /, 0 errored, 0 timeout$/m.test(stdout) && /, 0 3xx, 0 4xx, 0 5xx$/m.test(stdout);
  if (!isGood || !Number(perSecond)) throw new Error(`Requests to ${url} failed:\n${stdout}`);
  return Number(perSecond);
}
