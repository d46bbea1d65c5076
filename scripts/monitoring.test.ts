import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "@/lib/server/config/env";
import { createPrometheusMeter } from "@/lib/server/metrics/prometheus-meter";
import { requireProgram } from "./lib/programs.mjs";

const root = join(__dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const matches = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, found = ""]) => found);
const unique = (names: readonly string[]) => [...new Set(names)].sort();

const rules = read("deploy/prometheus-rules.yml");
const dashboard = read("deploy/grafana-dashboard.json");
const guide = read("docs/monitoring.md");
const alerts = matches(rules, /- alert: (\w+)/g);

/** Returns the names of all metrics of a process, without the suffixes of histograms. */
async function metricNames(): Promise<string[]> {
  const secret = "s".repeat(48);
  const secrets = { SESSION_SECRET: secret, VISITOR_HASH_SECRET: secret };
  const result = parseEnv({ ...secrets, REDIS_URL: "redis://localhost" });
  if (!result.ok) throw new Error(result.problems.join());
  const text = await createPrometheusMeter(result.env).read({
    redis: { saved: true, evictionPolicy: null, replicationLagSeconds: 0 },
    orders: { open: 0, oldestAgeSeconds: null },
    budget: { likesLeft: 0, totalLimit: 0 },
    inbox: { unmailed: 0 },
  });
  return matches(text, /^# TYPE (\w+)/gm);
}

function promtool(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(requireProgram("promtool"), args, {
    cwd: root,
    encoding: "utf8",
  });
  return [status, stdout + stderr];
}
const success = [0, expect.stringMatching(/SUCCESS/)];

it.each([
  ["check rules", ["check", "rules", "deploy/prometheus-rules.yml"]],
  ["check config", ["check", "config", "--syntax-only", "deploy/prometheus.yml"]],
  ["test rules", ["test", "rules", "deploy/prometheus-rules.test.yml"]],
])("promtool finds nothing wrong: %s", (_, args) => {
  expect(promtool(...args)).toEqual(success);
});

it("has a firing case, a silent case and a row in the guide for every alert", () => {
  expect(alerts.length).toBeGreaterThan(10);
  const [, ...cases] = read("deploy/prometheus-rules.test.yml").split("- alertname: ");
  for (const fires of [true, false]) {
    const texts = cases.filter((text) => text.includes("exp_alerts:") === fires);
    expect(unique(texts.map((text) => text.split("\n")[0] ?? ""))).toEqual(unique(alerts));
  }
  expect(matches(guide, /^\| `([A-Z]\w+)`/gm)).toEqual(alerts);
});

it("uses only existing metrics in rules and dashboard, and names all metrics of the product in the guide", async () => {
  const names = await metricNames();
  const own = unique(names.filter((name) => name.startsWith("boost50_")));
  expect(own.length).toBeGreaterThan(15);
  expect(unique(matches(guide, /`(boost50_\w+)`/g))).toEqual(own);
  const used = matches(rules + dashboard, /\b((?:boost50|nodejs|process)_\w+?)(?:_bucket|_sum|_count)?\b/g);
  expect(used.filter((name) => !names.includes(name))).toEqual([]);
});

const folder = mkdtempSync(join(tmpdir(), "promtool-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file for promtool, as JSON, which is also YAML. Returns its path. */
function writeInput(content: object): string {
  const path = join(folder, "input.yml");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const { panels } = JSON.parse(dashboard) as {
  panels: { type: string; title: string; targets?: { expr: string }[] }[];
};

it("has three rows of panels with valid queries, and a picture of all panels in the guide", () => {
  const rows = panels.filter(({ type }) => type === "row").map(({ title }) => title);
  expect(rows).toEqual(["Visitors", "Orders", "Machine"]);
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const rule = (query: string) => ({ record: "query", expr: query.replace(/\$__\w+/g, "1m") });
  const input = { groups: [{ name: "dashboard", rules: queries.map(rule) }] };
  expect(promtool("check", "rules", "--lint=none", writeInput(input))).toEqual(success);
  const picture = read("docs/images/dashboard.svg");
  expect(panels.filter(({ title }) => !picture.includes(`>${title}<`))).toEqual([]);
});
