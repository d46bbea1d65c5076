import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./lib/ports.mjs";

/*
 * Carries out the printed commands of docs/runbook.md, with other paths and ports. A script replaces systemctl and starts Redis
 * as Debian's unit does. As root, Redis runs as the user redis, so that a file of root stops it.
 */

const hasRedisUser = process.getuid?.() === 0 && spawnSync("id", ["redis"]).status === 0;
const asRedis = hasRedisUser ? "runuser -u redis -- " : "";
const folder = mkdtempSync(join(tmpdir(), "runbook-"));
const shells: Shell[] = [];
afterAll(() => {
  for (const shell of shells) shell("redis-cli SHUTDOWN NOSAVE");
  rmSync(folder, { recursive: true });
});

type Shell = (command: string, env?: Record<string, string>) => { status: number | null; output: string };

/** Starts the Redis of a machine with Debian's configuration and the settings of docs/deploy-systemd.md. */
async function startMachine() {
  const home = mkdtempSync(join(folder, "machine-"));
  const port = await freePort();
  const [data, conf, bin] = [join(home, "lib"), join(home, "redis.conf"), join(home, "bin")];
  for (const path of [data, bin, join(home, "backup")]) mkdirSync(path);
  writeFileSync(
    conf,
    `port ${port}\nbind 127.0.0.1\ndaemonize yes\ndir ${data}\nappendonly yes\nlogfile ${data}/log\n`,
  );
  const script = `#!/bin/sh
    case "$*" in
      "start redis-server") ${asRedis}redis-server ${conf} ;;
      "stop redis-server") redis-cli -p ${port} SHUTDOWN; exit 0 ;;
      "disable --now redis-server") touch ${home}/disabled; redis-cli -p ${port} SHUTDOWN; exit 0 ;;
      "restart boost50") exit 0 ;;
      *) exit 1 ;;
    esac
    for each in $(seq 50); do redis-cli -p ${port} PING | grep -q PONG && exit 0; sleep 0.1; done
    tail -3 ${data}/log; exit 1`;
  writeFileSync(join(bin, "systemctl"), script, { mode: 0o755 });
  if (hasRedisUser) spawnSync("chown", ["-R", "redis:redis", data]);
  for (const path of [folder, home]) chmodSync(path, 0o755);
  const url = `redis://127.0.0.1:${port}`;
  const shell: Shell = (command, env = {}) => {
    const text = `redis-cli() { command redis-cli -p ${port} "$@"; }\n${command}`;
    const all = { ...process.env, PATH: `${bin}:${process.env.PATH}`, REDIS_URL: url, ...env };
    const { status, stdout, stderr } = spawnSync("bash", ["-c", text], { encoding: "utf8", env: all });
    return { status, output: (stdout + stderr).replaceAll("\r", "").trim() };
  };
  shells.push(shell);
  expect(shell("systemctl start redis-server")).toMatchObject({ status: 0 });
  return { home, port, url, shell };
}

/** Returns the printed commands of a section with their printed output. */
function commandsOf(title: string) {
  const [, section = ""] = readFileSync("docs/runbook.md", "utf8").split(`\n## ${title}`);
  const blocks = section.split("\n## ")[0]!.matchAll(/^ *```\n([^]*?)^ *```$/gm);
  return Array.from(blocks, ([, block = ""]) => block.split(/^ *\$ /m).slice(1))
    .flat()
    .map((text) => text.split("\n").map((line) => line.trim()))
    .map(([command = "", ...output]) => ({ command, output: output.join("\n").trim() }));
}

/** Runs commands on a machine. Repeats a command with a printed output until it prints the same, except for a replica's numbers. */
async function carryOut(
  commands: ReturnType<typeof commandsOf>,
  shell: Shell,
  replaced: Record<string, string>,
  env = {},
) {
  const comparable = (text: string) => text.replace(/(ip|port|offset|lag)=[^,]+/g, "$1");
  for (const { command, output } of commands) {
    const own = Object.entries({ "runuser -u redis -- ": asRedis, ...replaced }).reduce(
      (text, [found, instead]) => text.replaceAll(found, instead),
      hasRedisUser ? command : command.replace("-o redis -g redis ", ""),
    );
    let result = shell(own, env);
    const prints = () => output === "" || comparable(result.output) === comparable(output);
    for (let tries = 1; tries < 50 && !prints(); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      result = shell(own, env);
    }
    expect({ command, ...result }).toEqual({
      command,
      status: 0,
      output: prints() ? result.output : output,
    });
  }
}

it("restores Redis from a copy, and Redis starts as a service with its append-only file", async () => {
  const machine = await startMachine();
  const { home } = machine;
  machine.shell("redis-cli SET order kept");
  const paths = { "/var/lib/redis": join(home, "lib"), "/etc/redis/redis.conf": join(home, "redis.conf") };
  const replaced = { ...paths, "/backup": join(home, "backup") };
  const [copy, ...restore] = commandsOf("Restore Redis from a copy");
  await carryOut([copy!], machine.shell, replaced);
  machine.shell("redis-cli FLUSHALL");
  await carryOut(restore, machine.shell, replaced);
  for (const commands of ["true", "systemctl stop redis-server && systemctl start redis-server"]) {
    expect(machine.shell(commands)).toMatchObject({ status: 0 });
    expect(machine.shell("redis-cli GET order; redis-cli CONFIG GET appendonly")).toEqual({
      status: 0,
      output: "kept\nappendonly\nyes",
    });
  }
  if (hasRedisUser) expect(machine.shell(`find ${home}/lib ! -user redis`).output).toBe("");
});

it("moves to another Redis, and the old one does not start again", async () => {
  const [old, next] = [await startMachine(), await startMachine()];
  old.shell("redis-cli SET order kept");
  const replaced = {
    "old.internal 6379": `localhost ${old.port}`,
    "new.internal 6379": `localhost ${next.port}`,
    "10.0.0.2 6379": `127.0.0.1 ${next.port}`,
  };
  const commands = commandsOf("Move to another Redis, with the site up");
  await carryOut(commands, old.shell, replaced, { OLD: old.url, NEW: next.url });
  expect(next.shell("redis-cli GET order; redis-cli INFO replication | grep ^role").output).toMatch(
    /^kept\nrole:master/,
  );
  expect(old.shell("redis-cli PING")).toMatchObject({ output: expect.stringContaining("refused") });
  expect(existsSync(join(old.home, "disabled"))).toBe(true);
});
