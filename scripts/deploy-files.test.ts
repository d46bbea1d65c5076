import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { envSchema } from "@/lib/server/config/env-schema";
import { requireProgram } from "./lib/programs.mjs";

const root = join(__dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

it("passes systemd-analyze", () => {
  const folder = mkdtempSync(join(tmpdir(), "unit-"));
  try {
    const unit = join(folder, "boost50.service");
    // systemd-analyze checks that the program exists.
    writeFileSync(unit, read("deploy/boost50.service").replace("/usr/bin/node", process.execPath));
    const args = ["verify", "--man=no", unit];
    const { status, stdout, stderr } = spawnSync(requireProgram("systemd-analyze"), args, {
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("gives the process the longest time that it may need to stop", () => {
  const accepts = (ms: number) => envSchema.shape.LIKE_WEBHOOK_TIMEOUT_MS.safeParse(String(ms)).success;
  for (const [file, pattern] of [
    ["deploy/boost50.service", /^TimeoutStopSec=(\d+)$/m],
    ["compose.yaml", /^ {4}stop_grace_period: (\d+)s$/m],
  ] as const) {
    const seconds = Number(pattern.exec(read(file))?.[1]);
    expect([file, seconds > 2, accepts((seconds - 2) * 1_000)]).toEqual([file, true, false]);
  }
  expect(accepts(60_000)).toBe(true);
});

it.each([
  [{}, "1"],
  [{ TRUSTED_PROXY_HOPS: "2" }, "2"],
  [{ TRUSTED_IP_HEADER: "cf-connecting-ip" }, ""],
])("gives the site with %j in .env the number of proxies %j", (inEnvFile: Record<string, string>, hops) => {
  const [, block = ""] = /environment: &own\n((?: {6}.*\n)*)/.exec(read("compose.yaml")) ?? [];
  const own = Array.from(block.matchAll(/^ {6}([A-Z_]+): "?([^"\n]*)/gm), ([, name = "", value = ""]) => [
    name,
    value.replace(/\$\{(\w+):-(.*)\}/, (_, from: string, fallback: string) => inEnvFile[from] || fallback),
  ]);
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, ...inEnvFile, ...Object.fromEntries(own) };
  const script = [join(root, "deploy", "start-site.sh"), "sh", "-c", 'printf %s "${TRUSTED_PROXY_HOPS:-}"'];
  expect(spawnSync("sh", script, { env, encoding: "utf8" })).toMatchObject({ stdout: hops, stderr: "" });
});

it("limits the output that Docker keeps of each container", () => {
  const services = read("compose.yaml").split(/^ {2}(?=\w+:$)/m).filter((text) => text.includes("restart:")); // prettier-ignore
  expect(services.length).toBe(3);
  for (const service of services) expect(service).toContain("logging: *logging");
});
