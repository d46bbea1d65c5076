import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { root, startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { readSettingsFile } from "@/scripts/lib/settings-file.mjs";

export interface Unit {
  /** A shell command that restarts the process, as `systemctl restart` does. Returns when the new process has started. */
  readonly restartCommand: string;
  /** Returns the id of the running process. */
  pid(): number | undefined;
  output(): string;
  stop(): Promise<void>;
}

interface UnitOptions {
  /** Replaces /opt/boost50. */
  home: string;
  /** Replaces /etc/boost50.env. */
  settings: string;
  port: number;
}

/** Replaces systemd: runs the process of deploy/boost50.service. An HTTP server restarts the process for each request. */
export async function startUnit(options: UnitOptions): Promise<Unit> {
  const runs: Running[] = [];
  const stopLast = async () => {
    const last = runs.at(-1);
    if (last) await stop(last);
  };
  const server = createServer((_request, response) => {
    void stopLast().then(() => {
      runs.push(launch(options));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    restartCommand: `'${process.execPath}' -e "fetch('${url}').catch(() => process.exit(1))"`,
    pid: () => runs.at(-1)?.child.pid,
    output: () => runs.map((run) => run.output()).join(""),
    stop: async () => {
      server.close();
      await stopLast();
    },
  };
}

function launch({ home, settings, port }: UnitOptions): Running {
  const unit = readFileSync(join(root, "deploy", "boost50.service"), "utf8");
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
  const [program, ...args] = value("ExecStart").split(" ");
  if (program !== "/usr/bin/node") throw new Error(`the unit starts ${program}`);
  const variables = value("Environment")
    .split(" ")
    .map((pair) => pair.split("="));
  return startInBackground(process.execPath, args, {
    cwd: value("WorkingDirectory").replace("/opt/boost50", home),
    env: {
      NODE_ENV: "production",
      ...(Object.fromEntries(variables) as Record<string, string>),
      ...readSettingsFile(settings),
      PORT: String(port),
    },
  });
}
