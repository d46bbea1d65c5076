import { expect, test, useServers } from "@/testing/test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { freePort, untilHealthy } from "@/scripts/lib/ports.mjs";
import { root, startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { Visitor, visitorAtStep3 } from "@/testing/visitor";

/* The metrics of the production build: the route, a real Prometheus, and the queries of the dashboard. */

const token = "metrics-token-of-the-tests";
const deploy = join(root, "deploy");

const servers = useServers({ live: true, env: { HEALTH_TOKEN: token } });

/**
 * Starts Prometheus with the files of deploy/, and with the port and the token of the test. It scrapes every 2 seconds,
 * because a response without Redis takes up to 1.5.
 */
async function startPrometheus(appPort: number) {
  const home = mkdtempSync(join(tmpdir(), "prometheus-"));
  const address = `127.0.0.1:${await freePort()}`;
  const [config, tokenFile] = [join(home, "prometheus.yml"), join(home, "token")];
  writeFileSync(tokenFile, token);
  cpSync(join(deploy, "prometheus-rules.yml"), join(home, "prometheus-rules.yml"));
  const text = readFileSync(join(deploy, "prometheus.yml"), "utf8")
    .replace("127.0.0.1:3000", `localhost:${appPort}`)
    .replace("/etc/prometheus/boost50-token", tokenFile)
    .replaceAll(": 15s", ": 2s");
  writeFileSync(config, text);
  const running = startInBackground(requireProgram("prometheus"), [
    ...[`--config.file=${config}`, `--storage.tsdb.path=${join(home, "data")}`],
    ...[`--web.listen-address=${address}`, "--log.level=warn"],
  ]);
  expect(await untilHealthy(`http://${address}/-/ready`, running, 30_000), running.output()).toBe(true);
  const read = async (path: string) => {
    const { data } = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as {
      data: { result: { value: [number, string] }[]; groups: { rules: { health: string }[] }[] };
    };
    return data;
  };
  return {
    /** Returns the current values of a query. */
    async query(expression: string): Promise<number[]> {
      const { result } = await read(`query?query=${encodeURIComponent(expression)}`);
      return result.map(({ value }) => Number(value[1]));
    },
    rules: async () => (await read("rules")).groups.flatMap(({ rules }) => rules),
    async stop() {
      await stop(running);
      rmSync(home, { recursive: true });
    },
  };
}

/** Returns the value of each series, by its name and labels. */
async function readMetrics(): Promise<Map<string, number>> {
  const url = `${servers.app.url}/api/metrics`;
  expect((await fetch(url)).status).toBe(401);
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const lines = (await response.text()).split("\n").filter((line) => line && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ""), Number(/\S+$/.exec(line)?.[0])]));
}

test("counts events of the start, of routes and of Redis", async () => {
  const before = await readMetrics();
  const started = async () => {
    const visitor = new Visitor(servers.app.url);
    await visitor.startFlow();
    return visitor;
  };
  const [visitor, refused, unknown] = [await started(), await started(), await started()];
  await visitor.post("/api/recaptcha/verify", { token: "junk" });
  expect((await visitor.like()).status).toBe(200);
  expect((await visitor.like()).status).toBe(429);
  servers.receiver.respond("refuse");
  expect((await refused.like()).status).toBe(422);
  servers.receiver.respond("error");
  for (let turn = 0; turn < 2; turn++) expect((await unknown.like()).status).toBe(503);
  servers.receiver.respond("accept");
  for (const code of ["PRIVATE1234", "MISSING1234", "ERROR123456"]) {
    const other = new Visitor(servers.app.url);
    await other.verify(`https://www.instagram.com/p/${code}/`);
    await other.details(`https://www.instagram.com/p/${code}/`);
  }
  const after = await readMetrics();
  const added = (series: string) => (after.get(series) ?? NaN) - (before.get(series) ?? 0);
  const expected = {
    'boost50_requests_total{route="verify",outcome="2xx"}': 6,
    'boost50_requests_total{route="verify",outcome="captcha_rejected"}': 1,
    'boost50_requests_total{route="post-details",outcome="2xx"}': 5,
    'boost50_requests_total{route="post-details",outcome="lookup_unavailable"}': 1,
    'boost50_requests_total{route="like",outcome="2xx"}': 1,
    'boost50_requests_total{route="like",outcome="cooldown"}': 1,
    'boost50_requests_total{route="like",outcome="delivery_refused"}': 1,
    'boost50_requests_total{route="like",outcome="order_pending"}': 2,
    'boost50_request_seconds_count{route="like"}': 5,
    'boost50_orders_total{outcome="accepted"}': 1,
    'boost50_orders_total{outcome="refused"}': 1,
    // Both attempts of one order.
    'boost50_orders_total{outcome="pending"}': 1,
    'boost50_delivery_seconds_count{outcome="unknown"}': 2,
    'boost50_captcha_checks_total{provider="altcha",outcome="passed"}': 6,
    'boost50_captcha_checks_total{provider="altcha",outcome="rejected"}': 1,
    'boost50_lookups_total{provider="sandbox",outcome="public"}': 3,
    'boost50_lookups_total{provider="sandbox",outcome="private"}': 1,
    'boost50_lookups_total{provider="sandbox",outcome="missing"}': 1,
    'boost50_lookups_total{provider="sandbox",outcome="unavailable"}': 1,
  };
  expect(Object.fromEntries(Object.keys(expected).map((series) => [series, added(series)]))).toEqual(
    expected,
  );
  expect(added('boost50_redis_request_seconds_count{outcome="answered"}')).toBeGreaterThan(20);
  expect(after.get('boost50_redis_request_seconds_count{outcome="lost"}')).toBe(0);
  const seconds = [...after].filter(([name]) => /^boost50_\w+_seconds_sum/.test(name)).map(([, sum]) => sum);
  expect(Math.max(...seconds)).toBeLessThan(5);
  // One accepted and one pending order.
  expect(added("boost50_budget_likes_left")).toBe(-100);
  expect(after.get("boost50_open_orders")).toBe(1);
  // The server warns at its start about live delivery with sample posts.
  expect(after.get('boost50_log_lines_total{event="configuration"}')).toBeGreaterThan(0);
  const build = readFileSync(join(root, ".next", "BUILD_ID"), "utf8");
  expect(after.get(`boost50_build_info{build="${build}"}`)).toBe(1);
});

const dashboard = JSON.parse(readFileSync(join(deploy, "grafana-dashboard.json"), "utf8")) as {
  panels: { type: string }[];
};
const panels = z
  .array(
    z.object({
      title: z.string(),
      datasource: z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") }),
      targets: z.array(z.object({ expr: z.string() })).min(1),
    }),
  )
  .parse(dashboard.panels.filter(({ type }) => type !== "row"));

test("Prometheus loads all rules, and has values for all queries of the dashboard", async () => {
  const queries = panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ title, expr: expr.replace(/\$__\w+/g, "15s") })),
  );
  expect(queries.length).toBeGreaterThan(18);
  const prometheus = await servers.keep(startPrometheus(servers.app.port));
  let silent = queries;
  const askAgain = async () => {
    const visitor = await visitorAtStep3(servers.app.url);
    await visitor.like();
    const answers = await Promise.all(silent.map(({ expr }) => prometheus.query(expr)));
    silent = silent.filter((_, index) => !answers[index]?.some(Number.isFinite));
    return silent;
  };
  await expect.poll(askAgain, { timeout: 30_000, intervals: [250] }).toEqual([]);
  const [requests] = await prometheus.query('sum(rate(boost50_requests_total{route="like"}[15s]))');
  expect(requests).toBeGreaterThan(0);
  const rules = await prometheus.rules();
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
});

test("responds without Redis, reports the outage, and omits values from Redis", async () => {
  await servers.redis.kill();
  try {
    const startedAt = performance.now();
    const metrics = await readMetrics();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(metrics.get("boost50_redis_up")).toBe(0);
    expect(metrics.has("boost50_budget_likes_left")).toBe(false);
    expect(metrics.get('boost50_redis_request_seconds_count{outcome="lost"}')).toBeGreaterThan(0);
    expect(metrics.get('boost50_requests_total{route="like",outcome="2xx"}')).toBeGreaterThan(0);
  } finally {
    await servers.redis.restart();
  }
  await expect.poll(async () => (await readMetrics()).get("boost50_redis_up")).toBe(1);
});
