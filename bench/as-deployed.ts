import { join } from "node:path";
import { startApp, type AppServer } from "@/e2e/support/servers/app-server";
import { launchBrowser } from "@/e2e/support/browser/browser";
import { buildsFolder } from "@/e2e/support/servers/builds";
import { weigh, weighPages, type PageWeight } from "@/e2e/support/browser/page-weight";
import { freePort } from "@/e2e/support/ports";
import type { RedisServer } from "@/e2e/support/servers/redis-server";
import { Rig } from "@/e2e/support/rig";
import { behindWebServer, startCaddy, startCaddyWith } from "@/e2e/support/servers/web-server";
import { pages } from "@/lib/http/pages";
import { askFast } from "./h2load";
import { compare, inRounds, median, type Comparison } from "./load";

const rounds = 11;
const floor = "blank page";
/** The least that a finished page should reach of the blank page's answers per second. */
const target = 8;

export interface DeployedSize {
  path: string;
  requests: number;
  /** Bytes as compressed on their way, headers of answers included. */
  total: number;
}

/** Compared with the blank page's answers per second. */
export interface DeployedSpeed extends Comparison {
  name: string;
  perSecond: number;
  target?: number;
}

/**
 * Puts the product, as deploy/Caddyfile serves it on one machine, beside the blank app behind the same web server as one
 * usually configures it.
 */
export async function measureAsDeployed(
  blank: AppServer,
  redis: RedisServer,
): Promise<{ sizes: DeployedSize[]; speed: DeployedSpeed[] }> {
  // Caddy's certificates are of nobody's authority.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const rig = new Rig();
  try {
    const port = await freePort();
    const app = await rig.keep(
      startApp({ build: "deployed", redisUrl: redis.url, env: behindWebServer(port) }),
    );
    const release = join(__dirname, "..", buildsFolder, "deployed");
    const site = await rig.keep(startCaddy({ release, upstream: app.port, port }));
    const file = join(__dirname, "blank.Caddyfile");
    const beside = await rig.keep(startCaddyWith(file, { upstream: blank.port, port: await freePort() }));
    return {
      sizes: await measureSizes(site.url, beside.url),
      speed: await measureSpeed(site.url, beside.url),
    };
  } finally {
    await rig.stop();
  }
}

async function measureSizes(site: string, blank: string): Promise<DeployedSize[]> {
  const browser = await launchBrowser();
  const row = (path: string, { requests, total }: PageWeight) => ({ path, requests, total });
  try {
    const product = [...(await weighPages(browser, site))].map(([page, weight]) => row(page.path, weight));
    return [row("a blank page", await weigh(browser, blank)), ...product];
  } finally {
    await browser.close();
  }
}

async function measureSpeed(site: string, blank: string): Promise<DeployedSpeed[]> {
  const targets: { name: string; address: string; target?: number }[] = [
    { name: floor, address: blank },
    { name: "home", address: site, target },
    { name: "faq", address: `${site}${pages.faq.path}`, target },
    { name: "disclaimer", address: `${site}${pages.disclaimer.path}`, target },
    { name: "nothing, from Caddy itself", address: `${blank}/empty` },
  ];
  const speeds = await inRounds(targets, rounds, ({ address }) => askFast(address));
  const of = (name: string) => speeds.get(name) ?? [];
  return targets.map(({ name, target }) => ({
    name,
    perSecond: median(of(name)),
    ...compare(of(name), of(floor)),
    target,
  }));
}
