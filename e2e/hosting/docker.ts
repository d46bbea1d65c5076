import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { pause, root, run, start, startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { deployedNode, deployedNodePath, ensureDeployedNode } from "@/scripts/lib/node-versions.mjs";
import { findCommand } from "@/scripts/lib/programs.mjs";
import { printedCommands, printedSettings } from "../operators/printed-commands";
import { likesUsed, Visitor, visitorAtStep3 } from "@/testing/visitor";

/*
 * npm run test:docker: builds and starts the shipped Dockerfile and compose.yaml with a Docker daemon of its own, by the
 * commands of docs/deploy-docker.md. The daemon and the test have their own network, mounts and process ids, so they change
 * nothing on this machine. No registry is reachable: the base images are Debian's packages and the Node of the images.
 */

const guide = join(root, "docs", "deploy-docker.md");
/** Caddy signs the certificate of this name itself. */
const url = "https://boost50.localhost";
const machine = { v4: "198.51.100.1", v6: "2001:db8::1" };
const elsewhere = { v4: "198.51.100.2", v6: "2001:db8:0:1::2", v6Network: "2001:db8:0:1::" };
const token = "health-token-of-the-test-";
/** Files of an operator, which no image may contain. */
const secretFiles = ["backup.rdb", "messages.jsonl", "secrets/key", "a.pem", "x.env", "app/y.env", ".env"];
const [inside] = process.argv.slice(2);

if (inside) runTests(inside);
else void enterNamespaces().then((status) => process.exit(status));

/** Starts this file in its own namespaces, with a way to the internet. Returns 75 if this machine cannot start Docker. */
async function enterNamespaces(): Promise<number> {
  const namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const { status, stderr } = spawnSync("unshare", [...namespaces, "mount", "-t", "tmpfs", "tmpfs", "/run"], { encoding: "utf8" }); // prettier-ignore
  const missing = ["dockerd", "docker-compose", "debootstrap", "slirp4netns"].filter((name) => !findCommand(name)); // prettier-ignore
  if (status !== 0 || missing.length > 0 || !(await ensureDeployedNode())) {
    console.error(
      `Docker cannot be started here: ${stderr || `missing ${missing.join(", ") || deployedNode}`}`,
    );
    return 75;
  }
  const folder = mkdtempSync(join(tmpdir(), "docker-"));
  try {
    const archive = await makeBaseImage();
    const script = `mount -t tmpfs tmpfs /run && ip link set lo up && echo ready >&3 && exec "$0" "$@"`;
    const self = [...process.execArgv, join(root, "e2e", "hosting", "docker.ts"), folder, archive];
    const running = start("unshare", [...namespaces, "sh", "-c", script, process.execPath, ...self], {
      // No public authority has signed Caddy's certificate.
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    });
    await new Promise((resolve) => running.child.stdio[3]!.once("data", resolve));
    const holder = spawnSync("pgrep", ["-P", String(running.child.pid)], { encoding: "utf8" }).stdout.trim();
    const network = startInBackground("slirp4netns", ["--configure", "--mtu=65520", holder, "tap0"]);
    const status = await running.ended;
    await stop(network);
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns an archive with Debian, Caddy, Redis in the place of Valkey, and the Node of the images with this machine's npm. */
async function makeBaseImage(): Promise<string> {
  const archive = join(root, ".data", "programs", `docker-${deployedNode}.tar`);
  if (existsSync(archive)) return archive;
  const folder = mkdtempSync(join(tmpdir(), "debian-"));
  try {
    const into = (path: string) => join(folder, path);
    const packages = "--include=ca-certificates,caddy,redis-server";
    assert.equal(await run("debootstrap", ["--variant=minbase", packages, "bookworm", folder]), 0);
    rmSync(into("var/cache/apt"), { recursive: true });
    cpSync(deployedNodePath, into("usr/local/bin/node"));
    const npm = dirname(dirname(realpathSync(findCommand("npm")!)));
    cpSync(npm, into("usr/local/lib/node_modules/npm"), { recursive: true });
    const registry = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout;
    mkdirSync(into("usr/local/etc"), { recursive: true });
    writeFileSync(into("usr/local/etc/npmrc"), `registry=${registry}`);
    cpSync("/etc/ssl/certs/ca-certificates.crt", into("etc/ssl/certs/ca-certificates.crt"));
    const finish = `useradd --uid 1000 node && usermod --login valkey redis
      for each in npm npx; do ln -s ../lib/node_modules/npm/bin/$each-cli.js /usr/local/bin/$each; done
      ln -s redis-cli /usr/bin/valkey-cli && mkdir -m 777 /data
      printf '#!/bin/sh\nexec redis-check-rdb "$@"\n' > /usr/bin/valkey-check-rdb
      printf '#!/bin/sh\nexec redis-server "$@" --protected-mode no\n' > /usr/bin/valkey-server && chmod 755 /usr/bin/valkey-*`;
    assert.equal(await run("chroot", [folder, "sh", "-ec", finish]), 0);
    assert.equal(await run("tar", ["-C", folder, "-cf", `${archive}.new`, "."]), 0);
    assert.equal(await run("mv", [`${archive}.new`, archive]), 0);
    return archive;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runTests(folder: string): void {
  const checkout = join(folder, "boost50");
  // Debian's programs come first, because they fit together.
  const PATH = `/usr/bin:/usr/sbin:${process.env.PATH}`;
  const env = { ...process.env, PATH, DOCKER_HOST: `unix://${folder}/docker.sock`, DOCKER_CONFIG: join(folder, "config"), DOCKER_BUILDKIT: "1" }; // prettier-ignore

  /** Runs a shell command in the checkout. Returns its output. Throws after a failure. */
  function sh(command: string): string {
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: checkout, env, encoding: "utf8", maxBuffer: 2 ** 28 }); // prettier-ignore
    assert.equal(status, 0, `${command}\n${(stdout + stderr).slice(-6_000)}`);
    return stdout.trim();
  }
  const commands = printedCommands(guide).map(({ command }) => command);
  /** Runs the printed commands that begin with a text, each of them once. Returns their output. */
  const follow = (...starts: string[]) =>
    starts.map((start) => {
      const found = commands.findIndex((command) => command.startsWith(start));
      assert.notEqual(found, -1, `The guide has no further command ${start}.`);
      return sh(commands.splice(found, 1)[0]!.replaceAll("https://likes.example", url));
    });
  const responds = async () => {
    for (let tries = 0; tries < 300; tries += 1) {
      const response = await fetch(`${url}/api/health`).catch(() => undefined);
      if (response?.ok) return;
      await pause(200);
    }
    assert.fail(`The site does not respond:\n${sh("docker compose ps; docker compose logs --tail 20")}`);
  };
  const addressOf = (network: string, address: string) => {
    const request = `curl -ksS --resolve boost50.localhost:443:${address} -H 'authorization: Bearer ${token}' '${url}/api/health?deep=1'`; // prettier-ignore
    return (JSON.parse(sh(`${network} ${request}`)) as { you: { address: string } }).you.address;
  };
  let daemon: ReturnType<typeof startInBackground> | undefined;
  after(() => daemon && stop(daemon));

  test("starts the daemon, with base images under the names of the shipped files", async () => {
    mkdirSync(join(folder, "config", "cli-plugins"), { recursive: true });
    const plugin = `#!/bin/sh
      [ "$1" != docker-cli-plugin-metadata ] || exec echo '{"SchemaVersion":"0.1.0","Vendor":"test"}'
      shift; exec docker-compose "$@"\n`;
    writeFileSync(join(folder, "config", "cli-plugins", "docker-compose"), plugin, { mode: 0o755 });
    mkdirSync(checkout);
    sh(`until ip route | grep -q default; do sleep 0.1; done
      ip netns add elsewhere
      ip link add outside type veth peer name eth0 netns elsewhere
      ip link set outside up; ip -n elsewhere link set eth0 up
      ip address add ${machine.v4}/24 dev outside; ip address add ${machine.v6}/60 dev outside nodad
      ip -n elsewhere address add ${elsewhere.v4}/24 dev eth0; ip -n elsewhere address add ${elsewhere.v6}/60 dev eth0 nodad
      cp /etc/hosts ${folder}/hosts; echo '${machine.v4} boost50.localhost' >> ${folder}/hosts
      mount --bind ${folder}/hosts /etc/hosts`);
    const own = ["data-root", "exec-root", "pidfile"].flatMap((name) => [`--${name}`, join(folder, name)]);
    // Docker 27 and later have these two by default.
    const ipv6 = ["--experimental", "--ip6tables"];
    daemon = startInBackground("dockerd", ["--host", env.DOCKER_HOST, ...own, ...ipv6], { env });
    for (let tries = 0; spawnSync("docker", ["info"], { env }).status !== 0; tries += 1) {
      assert.ok(tries < 150 && !daemon.hasEnded(), `Docker did not start:\n${daemon.output()}`);
      await pause(200);
    }
    sh(`git -C '${root}' ls-files -z --cached --others --exclude-standard | tar -C '${root}' --null --files-from - -c | tar -x
      sed -i 's/@sha256:[0-9a-f]*//' Dockerfile compose.yaml`);
    const names = [/^FROM (node:\S+)/m, /^FROM (caddy:\S+)/m, /^ +image: (\S+)/m].map(
      (name) => name.exec(sh("cat Dockerfile compose.yaml"))![1],
    );
    sh(`for each in ${names.join(" ")}; do docker import --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' \
      --change 'ENV XDG_DATA_HOME=/data' --change 'VOLUME /data' --change 'WORKDIR /data' '${process.argv[3]}' $each; done`);
  });

  test("builds and starts, also from a checkout that only its owner may read", async () => {
    follow("cp .env.example");
    const settings = printedSettings(guide, "SITE_URL").replace("https://likes.example", url);
    const secrets = [1, 2].map(() => sh("openssl rand -base64 48"));
    const filled = settings.replace("HEALTH_TOKEN='…'", `HEALTH_TOKEN='${token}'`).replaceAll("…", () => secrets.pop()!); // prettier-ignore
    appendFileSync(join(checkout, ".env"), `${filled}\nALTCHA_COST='50'\nPLANTED='planted-secret'\n`);
    sh(
      `mkdir secrets && for each in ${secretFiles.slice(0, -1).join(" ")}; do echo planted-secret > $each; done; chmod -R go= .`,
    );
    // The tools reach the site under the machine's address, and its certificate is from no public authority.
    const override = `services: { tools: { extra_hosts: ["boost50.localhost:${machine.v4}"], environment: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } } }\n`;
    writeFileSync(join(checkout, "compose.override.yaml"), `version: "3.9"\n${override}`);
    follow("docker compose up");
    await responds();
  });

  test("has no secrets in its images, and at most 600 MB in the image of the tools", () => {
    sh(
      "docker compose --profile tools build tools && docker build --quiet --target build --tag boost50_build .",
    );
    for (const name of ["build", "web", "site", "tools"]) {
      const paths = secretFiles.map((path) => `-path '*/${path}'`).join(" -o ");
      const search = `find / -xdev \\( ${paths} \\) -print; grep -rls planted-secret /app /opt /etc || true`;
      assert.equal(
        sh(
          `docker run --rm --user 0 --entrypoint sh boost50_${name} -c "${search}" | grep -v node_modules || true`,
        ),
        "",
        name,
      );
    }
    const size = Number(sh("docker image inspect --format '{{.Size}}' boost50_tools"));
    assert.ok(size < 600e6, `The image has ${size / 1e6} MB.`);
  });

  test("passes the doctor, and sees the addresses of IPv4 and IPv6 visitors", () => {
    const [, doctor] = follow("docker compose ps", "docker compose run --rm tools doctor");
    assert.match(doctor!, /^0 problems/m);
    follow("docker compose run --rm tools ledger");
    assert.equal(addressOf("ip netns exec elsewhere", machine.v4), elsewhere.v4);
    assert.equal(addressOf("ip netns exec elsewhere", `[${machine.v6}]`), elsewhere.v6Network);
  });

  test("keeps an order over a restored copy and an update", async () => {
    const visitor = await visitorAtStep3(url);
    assert.equal((await visitor.like()).status, 200);
    follow("docker compose exec -T valkey");
    sh("docker compose exec -T valkey valkey-cli FLUSHALL");
    assert.equal(await likesUsed(url), 0);
    follow(
      "docker compose stop site valkey",
      "docker compose run --rm -T valkey",
      "docker compose run --rm -T valkey",
    );
    follow("docker compose up");
    await responds();
    assert.equal(await likesUsed(url), 50);
    sh("sed -i \"s/^SITE_NAME=.*//; \\$ a SITE_NAME='Renamed'\" .env && docker compose up --detach --build");
    await responds();
    assert.equal(await likesUsed(url), 50);
    assert.match((await new Visitor(url).visit("/")).html, /Renamed/);
  });

  test("ends each process after SIGTERM, and runs the other printed commands", () => {
    sh("docker compose stop");
    const states = sh("docker inspect --format '{{.Name}} {{.State.ExitCode}}' $(docker ps --all --quiet)");
    // The site's process ends with 143 after SIGTERM. Docker's SIGKILL would make it 137.
    const wanted = ["site_1 143", "valkey_1 0", "web_1 0"].map((state) => `/boost50_${state}`);
    assert.deepEqual(states.split("\n").sort(), wanted);
    for (const command of commands.filter((each) => each.startsWith("docker "))) sh(command);
  });
}
