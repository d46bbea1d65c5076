import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { readSettingsFile } from "@/scripts/lib/settings-file.mjs";
import { end, watch, type Running } from "./watchdog";

const unitFile = join(__dirname, "..", "..", "deploy", "boost50.service");

export interface Unit {
  /** A command that restarts the process and returns when the new one was started, as `systemctl restart` does. */
  readonly restartCommand: string;
  /** Of the process that runs. */
  pid(): number | undefined;
  output(): string;
  stop(): Promise<void>;
}

/** Stands for systemd: runs the process that the shipped unit describes, in another home and on another port. */
export async function startUnit({
  home,
  settings,
  port,
}: {
  home: string;
  /** In place of /etc/boost50.env. */
  settings: string;
  port: number;
}): Promise<Unit> {
  let running: Running | undefined;
  let output = "";
  const restart = async (): Promise<void> => {
    await stop();
    running = launch(home, settings, port);
  };
  const stop = async (): Promise<void> => {
    if (!running) return;
    await end(running, "SIGTERM");
    output += running.output();
    running = undefined;
  };
  const door = createServer((_request, answer) => {
    void restart().then(() => answer.end());
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  return {
    restartCommand: `'${process.execPath}' -e "fetch('${address}').catch(() => process.exit(1))"`,
    pid: () => running?.child.pid,
    output: () => output + (running?.output() ?? ""),
    stop: async () => {
      door.close();
      await stop();
    },
  };
}

function launch(home: string, settings: string, port: number): Running {
  const value = (name: string) =>
    new RegExp(`^${name}=(.*)$`, "m").exec(readFileSync(unitFile, "utf8"))?.[1] ?? "";
  const [program, ...args] = value("ExecStart").split(" ");
  if (program !== "/usr/bin/node") throw new Error(`the unit starts ${program}`);
  const variables = value("Environment")
    .split(" ")
    .map((pair) => pair.split("="));
  const child = spawn(process.execPath, args, {
    cwd: value("WorkingDirectory").replace("/opt/boost50", home),
    env: {
      NODE_ENV: "production",
      ...(Object.fromEntries(variables) as Record<string, string>),
      ...readSettingsFile(settings),
      PORT: String(port),
    },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return watch(child);
}
