import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { root, startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { readSettingsFile } from "@/scripts/lib/settings-file.mjs";

export interface Unit {
  /**
   * Shell commands instead of `systemctl restart`, which returns when the new process has started, `systemctl is-active` and
   * `journalctl`.
   */
  readonly commands: Record<"restart" | "alive" | "log", string>;
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

/** Replaces systemd: runs the process of deploy/boost50.service. An HTTP server carries out its commands. */
export async function startUnit(options: UnitOptions): Promise<Unit> {
  const runs: Running[] = [];
  const stopLast = async () => {
    const last = runs.at(-1);
    if (last) await stop(last);
  };
  const server = createServer(({ url }, response) => {
    if (url === "/log") response.end(runs.at(-1)?.output());
    else if (url === "/alive") response.writeHead(runs.at(-1)?.hasEnded() === false ? 200 : 503).end();
    else
      void stopLast().then(() => {
        runs.push(launch(options));
        response.end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const command = (name: string) =>
    `'${process.execPath}' -e "fetch('${url}/${name}').then(async (response) => {
      process.stdout.write(await response.text());
      process.exitCode = response.ok ? 0 : 1;
    })"`;
  return {
    commands: { restart: command("restart"), alive: command("alive"), log: command("log") },
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
      ...(value("EnvironmentFile") === "/etc/boost50.env" && readSettingsFile(settings)),
      PORT: String(port),
    },
  });
}
