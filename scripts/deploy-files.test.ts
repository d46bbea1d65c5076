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
