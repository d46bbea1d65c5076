import { rmSync } from "node:fs";
import IORedis from "ioredis";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import { runTool } from "@/scripts/lib/terminal";
import type { AppServer } from "./support/app-server";
import { startPrometheus, type Prometheus } from "./support/prometheus";
import { startRedis } from "./support/redis-server";
import { Rig } from "./support/rig";
import { linkOf, postCode } from "./support/sample-posts";
import { startSiteverify, type SiteverifyServer } from "./support/siteverify-server";
import { until } from "./support/until";
import { Visitor } from "./support/visitor";

/*
 * npm run alerts: the site with everything around it, watched by a real Prometheus with the shipped rules, which asks
 * every two seconds. What an alert is about is brought about, and the alert fires. Those that have to hold for longer than
 * two minutes are left to `promtool test rules`, and named.
 */

const longestMs = 120_000;
const token = "metrics-token-of-the-tests";
const cronSecret = "cron-secret-of-the-tests";
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Scene {
  rig: Rig;
  app: AppServer;
  siteverify: SiteverifyServer;
  prometheus: Prometheus;
}

/** By the alert's name, in an order in which none hinders the next; what is returned puts things right again. */
const causes: Record<string, (scene: Scene) => Promise<void | (() => Promise<unknown>)>> = {
  async DeliveryRefused(scene) {
    scene.rig.receiver.respond("refuse");
    await order(scene, 3);
    scene.rig.receiver.respond("accept");
  },

  async LookupUnavailable(scene) {
    await order(scene, 2, "ERROR123456");
  },

  async CaptchaUnavailable(scene) {
    scene.siteverify.respond("error");
    await order(scene, 8);
    scene.siteverify.respond("verify");
  },

  async OrdersNotFinished(scene) {
    scene.rig.receiver.respond("error");
    await order(scene, 1);
    await makeOlder(scene, 16 * minuteMs);
  },

  async OrdersAbandoned(scene) {
    await makeOlder(scene, 25 * hourMs);
    await fetch(`${scene.app.url}/api/cron/reconcile`, {
      headers: { authorization: `Bearer ${cronSecret}` },
    });
    scene.rig.receiver.respond("accept");
  },

  async LimitChanged({ rig }) {
    await createLedgerAdmin(rig.store, { dailyLikeLimit: 100_000 }).changeLimit(50_000, "npm run alerts");
  },

  async BudgetLow(scene) {
    const books = createLedgerAdmin(scene.rig.store, { dailyLikeLimit: 100_000 });
    await order(scene, 4);
    await books.changeLimit((await books.overview()).likesUsed);
    return () => books.changeLimit(null);
  },

  async InternalErrors({ rig, app }) {
    const key = `{likes}:v2:limit:${Math.floor(Date.now() / (24 * hourMs))}`;
    await rig.store.set(key, '"no number"');
    await fetch(`${app.url}/api/instagram/daily-usage`);
    await rig.store.del(key);
  },

  async ReplicaLagging({ rig }) {
    const replica = await rig.keep(
      startRedis({ settings: ["--replicaof", "127.0.0.1", String(rig.redis.port)] }),
    );
    const primary = new IORedis(rig.redis.url);
    await until("the replica follows", async () => /state=online/.test(await primary.info("replication")));
    primary.disconnect();
    replica.freeze();
    return () => replica.stop();
  },

  async RedisNotSaving({ rig }) {
    rmSync(rig.redis.dir, { recursive: true });
    const client = new IORedis(rig.redis.url);
    await client.bgsave();
    client.disconnect();
  },

  async RedisUnavailable({ rig }) {
    rig.redis.freeze();
    return () => Promise.resolve(rig.redis.thaw());
  },

  SiteDown: ({ app }) => app.kill(),
};

async function main(): Promise<number> {
  const rig = new Rig();
  try {
    const scene = await setUp(rig);
    // A first reading of each counter, before anything is counted.
    await until(
      "Prometheus has read",
      async () => (await scene.prometheus.query("boost50_redis_up")).length > 0,
    );
    const results: boolean[] = [];
    for (const [name, cause] of Object.entries(causes)) results.push(await fires(name, cause, scene));
    const rest = (await scene.prometheus.alerts()).filter(({ name }) => !(name in causes));
    for (const { name, duration } of rest) say(name, `not tried: has to hold for ${duration / 60} minutes`);
    return results.every(Boolean) && rest.every(({ duration }) => duration * 1_000 > longestMs) ? 0 : 1;
  } finally {
    await rig.stop();
  }
}

async function setUp(rig: Rig): Promise<Scene> {
  await rig.launch();
  const siteverify = await rig.keep(startSiteverify({ provider: "recaptcha", secret: "captcha-secret" }));
  const app = await rig.start({
    live: true,
    env: {
      METRICS_TOKEN: token,
      CRON_SECRET: cronSecret,
      CAPTCHA_PROVIDER: "recaptcha",
      CAPTCHA_SITE_KEY: "site-key",
      CAPTCHA_SECRET_KEY: "captcha-secret",
      CAPTCHA_VERIFY_URL: siteverify.url,
    },
  });
  const prometheus = await rig.keep(startPrometheus({ port: app.port, token }));
  return { rig, app, siteverify, prometheus };
}

/** So many visitors go as far as they get. */
async function order({ app, siteverify }: Scene, visitors: number, code = postCode): Promise<void> {
  for (let number = 0; number < visitors; number++) {
    const visitor = new Visitor(app.url);
    const url = linkOf(code);
    await visitor.post("/api/recaptcha/verify", { token: siteverify.issue(), url });
    await visitor.details(url);
    await visitor.like(code);
  }
}

/** Moves the open orders' records into the past, which takes a day otherwise. */
async function makeOlder({ rig }: Scene, ms: number): Promise<void> {
  for (const { id, state } of await createLedgerAdmin(rig.store, { dailyLikeLimit: 100_000 }).listOpen()) {
    if (state !== "pending") continue;
    const key = `{likes}:v2:order:${id}`;
    const record = await rig.store.get<Record<string, unknown>>(key);
    await rig.store.set(key, { ...record, createdAt: Date.now() - ms, leaseUntil: 0 }, { keepTtl: true });
  }
}

async function fires(name: string, cause: (typeof causes)[string], scene: Scene): Promise<boolean> {
  const startedAt = performance.now();
  const isFiring = async () =>
    (await scene.prometheus.alerts()).some((alert) => alert.name === name && alert.state === "firing");
  if (await isFiring()) return say(name, "FIRED BEFORE ITS CAUSE", false);
  const putRight = await cause(scene);
  // From 18:00 GMT on a day may use up its budget.
  if (name === "BudgetLow" && new Date().getUTCHours() >= 18) {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const silent = !(await isFiring());
    await putRight?.();
    return say(name, silent ? "silent in the evening" : "FIRED IN THE EVENING", silent);
  }
  const fired = await until(name, isFiring, longestMs).then(
    () => true,
    () => false,
  );
  await putRight?.();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  return say(name, fired ? `fired after ${seconds} s` : `DID NOT FIRE in ${seconds} s`, fired);
}

function say(name: string, words: string, isGood = true): boolean {
  process.stdout.write(`${name.padEnd(20)} ${words}\n`);
  return isGood;
}

runTool(main);
