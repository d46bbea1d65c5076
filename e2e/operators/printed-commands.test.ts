import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root, startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { printedCommands, printedSettings } from "./printed-commands";
import { liveDelivery, webhookSecret } from "@/testing/servers/live-delivery";
import { expect, test } from "@/testing/test";

/*
 * Runs every command that the guides for operators and the example print, from the documents' own text and in
 * their order. e2e/operators/test-machine/programs.sh replaces programs that cannot run in a test machine. e2e/hosting/docker.ts runs the
 * commands of docs/deploy-docker.md.
 */

/** Commands that only their tables check: the beginning of the command, and the reason. */
const cannotRun: Record<string, string> = {
  "curl -fsSL https://deb.nodesource.com": "downloads from the internet",
  "npm ci": "downloads from the internet",
  "du -xh /": "reads the whole disk",
  "npm run build": "a build takes a minute",
  "BUILD_OUTPUT=standalone npm run build": "a build takes a minute",
  "npm run verify": "runs all tests",
  "npm run test:serverless": "runs the tests of a serverless host",
  "npm test": "runs the tests of the example",
  "npm run chaos -- -g service": "takes minutes",
  "npm run check-receiver": "needs the address of a service: check-receiver.test.ts",
  "npm run quickstart -- --live": "needs a terminal: quickstart-live.test.ts",
};

let machine: Awaited<ReturnType<typeof startTestMachine>>;
let env: Record<string, string> = {};
/** Texts that a reader replaces. */
const placeholders: Record<string, string> = { FOLDER: ".data/builds/deployed" };
/** Work before a printed command, by the beginning of the command. */
const before: Record<string, () => void> = {};

test.describe.configure({ timeout: 900_000 });
test.beforeAll(async () => void (machine = await startTestMachine()));
test.afterAll(() => machine.stop());

/** Runs the commands of a document. Repeats a command with a printed output for 5 s, until it prints these lines. */
async function follow(path: string, folder = ".") {
  for (const { command, output } of printedCommands(join(root, path))) {
    if (Object.keys(cannotRun).some((start) => command.startsWith(start))) continue;
    const [start = "", prepare] = Object.entries(before).find(([start]) => command.startsWith(start)) ?? [];
    delete before[start];
    prepare?.();
    // The runbook asks for --env.
    const onMachine = command.replace(
      /(?<!run |-- )(npm run (?:--silent )?(?:doctor|ledger|inbox))(?: --|$)(?!.*--env)/,
      "$1 -- --env /etc/boost50.env",
    );
    const own = Object.entries(placeholders).reduce((text, pair) => text.replaceAll(...pair), onMachine);
    const run = async () => {
      const { status, output: printed } = machine.run(`cd ${folder} && ${own}`, env);
      expect({ path, command: own, status, printed }).toEqual({ path, command: own, status: 0, printed });
      for (const line of comparable(output).split("\n")) expect(comparable(printed)).toContain(line);
    };
    if (output) await expect(run).toPass({ timeout: 5_000, intervals: [100] });
    else await run();
  }
}

/** Numbers, dates and references differ at each run, except whether something is in progress. */
const comparable = (text: string) =>
  text.replace(/[\dA-Z]{4}-[\dA-Z]{4}-[\dA-Z]{4}/g, "ID").replace(/(?<!in_progress:)\d[\d,.:-]*/g, "N");

/** Settings for live delivery to the example, whose lookup accepts every post. */
const live = Object.entries(liveDelivery({ url: "http://127.0.0.1:3100/likes" }))
  .map(([name, value]) => `${name}='${value}'\n`)
  .join("");
const addSettings = (added: string) => machine.need(`printf '%s' "$added" >> /etc/boost50.env`, { added });
const visit = (kind: "order" | "message") => {
  machine.need("until curl --insecure -fs https://likes.example/api/health > /dev/null; do sleep 0.1; done");
  return machine.need(
    `node --conditions=react-server --import tsx e2e/operators/test-machine/visit.ts ${kind} 2>/dev/null`,
  );
};

test("deploys with systemd, and carries out the runbook", async () => {
  before["cp deploy/boost50.service"] = () => {
    addSettings(printedSettings(join(root, "docs/deploy-systemd.md"), "SITE_URL"));
    addSettings(`ALTCHA_COST='50'\nCRON_SECRET='${"c".repeat(40)}'\n`);
  };
  await follow("docs/deploy-systemd.md");

  const token = /HEALTH_TOKEN='(.*)'/.exec(machine.need("cat /etc/boost50.env"))?.[1] ?? "";
  const [old, replacement] = ["redis://127.0.0.1:6379", "redis://10.0.0.2:6379"];
  env = { HEALTH_TOKEN: token, CRON_SECRET: "c".repeat(40), OLD: old, NEW: replacement, REDIS_URL: old };
  env.CURL_CA_BUNDLE = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt";
  await follow("docs/deploy-serverless.md");

  placeholders["0BF9-4J9N-QQHX"] = placeholders["2DRR-4S0R-K7JN"] = visit("order");
  before["redis-check-rdb"] = () =>
    machine.need(
      "cut -d ' ' -f 7- /etc/cron.d/redis-copies | tr -d '\\\\' | sh && mv /backup/*.rdb /backup/2026-11-22T03.rdb",
    );
  before["systemctl stop redis-server"] = () => machine.need("redis-cli FLUSHALL");
  before["runuser -u redis"] = () =>
    expect(machine.need("stat -c '%U:%G %a' /var/lib/redis/dump.rdb")).toBe("redis:redis 640");
  before["npm run ledger -- budget"] = () => {
    expect(machine.need(`redis-cli EXISTS '{likes}:v2:order:${placeholders["2DRR-4S0R-K7JN"]}'`)).toBe("1");
    machine.need("systemctl restart redis-server");
    expect(machine.need("redis-cli CONFIG GET appendonly")).toBe("appendonly\nyes");
    expect(machine.need("find /var/lib/redis ! -user redis")).toBe("");
  };
  before['redis-cli -u "$NEW" REPLICAOF'] = () => {
    machine.need(`install -d -o redis -g redis /var/lib/new && cd /var/lib/new && runuser -u redis -- redis-server --bind 10.0.0.2 \
      --bind-source-addr 10.0.0.2 --protected-mode no --appendonly yes --daemonize yes --dir /var/lib/new`);
    env.REDIS_URL = replacement;
  };
  before['redis-cli -u "$OLD" FAILOVER'] = () =>
    machine.need(`sed -i "s|^REDIS_URL=.*|REDIS_URL='${replacement}'|" /etc/boost50.env`);
  before["jq -r .request.remote_ip"] = () =>
    machine.need("curl --insecure --silent https://likes.example/ && sleep 0.2");
  before["npm run ledger -- limit 400"] = () => {
    expect(machine.run("systemctl is-enabled redis-server").status).toBe(1);
    addSettings(live);
    machine.need("systemctl restart boost50");
  };
  before["npm run inbox -- list"] = () => {
    visit("message");
  };
  before["npm run inbox -- show"] = () => {
    const [id = ""] = machine
      .need("npm run --silent inbox -- --env /etc/boost50.env list 2>/dev/null")
      .split(" ");
    placeholders["<id>"] = id;
  };
  await follow("docs/redis.md");
  await follow("docs/runbook.md");

  const service = "examples/delivery-service";
  placeholders["WEBHOOK_SECRETS=whsec_… npm start"] =
    `(WEBHOOK_SECRETS=${webhookSecret} setsid npm start > /run/machine/service.log 2>&1 &) && curl -fsS --retry 20 --retry-delay 1 --retry-connrefused http://127.0.0.1:3100/health`;
  before["node orders.mjs"] = () => {
    placeholders["7K3M-0Q2X-9ZTB"] = visit("order");
  };
  before["node orders.mjs refuse"] = () => {
    placeholders["XKQR-0DS8-108N"] = visit("order");
  };
  await follow(`${service}/README.md`, service);
});

/**
 * Starts a copy of this machine with its own network, in which commands as root change nothing outside. Its files are an overlay
 * of this machine's files, in memory. programs.sh replaces systemctl and other programs. Needs the rights of root.
 */
async function startTestMachine() {
  const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child"];
  const programs = join(__dirname, "test-machine", "programs.sh");
  const holder = startInBackground("unshare", [...namespaces, "bash", programs, "machine"]);
  while (!holder.output().includes("ready")) {
    if (holder.hasEnded()) throw new Error(`The test machine did not start:\n${holder.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // The holder of the namespaces is the child of unshare.
  const { stdout: pid } = spawnSync("pgrep", ["-P", String(holder.child.pid)], { encoding: "utf8" });
  const enter = ["-t", pid.trim(), "--mount", "--net", "--pid", "chroot", "/mnt/root"];
  /** Runs a bash command in the checkout. */
  const run = (command: string, more: Record<string, string | undefined> = {}) => {
    const env = { ...process.env, PATH: `/opt/machine:${process.env.PATH}`, ...more };
    const options = { encoding: "utf8", timeout: 60_000, env } as const;
    const args = [...enter, "bash", "-c", `cd '${root}' && ${command}`];
    const { status, stdout, stderr } = spawnSync("nsenter", args, options);
    return { status, output: (stdout + stderr).replaceAll("\r", "").trim() };
  };
  return {
    run,
    /** Like `run`, but throws after a failure. Returns the output. */
    need(command: string, env?: Record<string, string>): string {
      const { status, output } = run(command, env);
      if (status !== 0) throw new Error(`${command}\nended with ${status}:\n${output}`);
      return output;
    },
    stop: () => stop(holder),
  };
}
