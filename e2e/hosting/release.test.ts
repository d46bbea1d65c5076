import { expect, test, useServers } from "@/testing/test";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { pause, root, startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { readSettingsFile } from "@/scripts/lib/settings-file.mjs";
import { buildFolder } from "@/testing/servers/builds";
import { accepts, freePort } from "@/scripts/lib/ports.mjs";
import { until } from "@/testing/until";
import { startHttpDouble } from "@/testing/servers/http-double";
import { caddyfile, installRelease, siteUrl, startCaddy } from "@/testing/servers/web-server";
import { Visitor, visitorAtStep3 } from "@/testing/visitor";

/*
 * npm run release during traffic, on a machine as in docs/deploy-systemd.md: the process of the shipped unit behind the
 * shipped Caddyfile.
 */

const atOnce = 16;
const paths = ["/", "/faq", "/terms", "/get-likes/", "/api/instagram/daily-usage", "/nothing-here"];

const servers = useServers({}, async (servers) => {
  const folder = fs.mkdtempSync(join(tmpdir(), "machine-"));
  // The trial of a release runs as the user nobody.
  fs.chmodSync(folder, 0o755);
  await servers.keep({ stop: async () => fs.rmSync(folder, { recursive: true }) });
  const [home, settings, second] = [
    join(folder, "home"),
    join(folder, "settings.env"),
    join(folder, "second"),
  ];
  const [port, httpsPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  // Only the user of the unit may read a secret of LoadCredential. The trial of a release has another user.
  const secret = join(folder, "secret");
  fs.writeFileSync(secret, "visitor-secret-of-the-tests-0123456789\n", { mode: 0o400 });
  const values = {
    SITE_URL: siteUrl(httpsPort),
    SESSION_SECRET: "a secret | with # and $HOME and \\ of 32 characters or more",
    VISITOR_HASH_SECRET_FILE: secret,
    REDIS_URL: servers.redis.url,
    TRUSTED_PROXY_HOPS: "1",
    TEST_RATE_LIMIT_SCALE: "1000",
    ALTCHA_COST: "50",
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'\n`);
  fs.writeFileSync(settings, lines.join(""));
  const unit = await servers.keep(startUnit(home, settings, port));
  const commands = Object.entries(unit.commands).flatMap(([name, value]) => [`--${name}`, value]);
  const command = ["--home", home, "--env", settings, ...commands];

  // The web server needs a release when it starts.
  const first = await runRelease(port, ...command, "--reload", "true", "--build", buildFolder("deployed"));
  if (first.status !== 0) throw new Error(first.stdout + first.stderr + unit.output());
  const caddy = await servers.keep(startCaddy({ home, upstream: port, port: httpsPort, adminPort }));
  const reloads = join(folder, "reloads");
  const variables = Object.entries(caddy.env).map(([name, value = ""]) => `${name}='${value}'`);
  const reload = `echo >> '${reloads}'; env ${variables.join(" ")} caddy reload --config '${caddyfile}' --adapter caddyfile --address localhost:${adminPort}`;
  const release = (...args: string[]) => runRelease(port, ...command, "--reload", reload, ...args);
  const reloadCount = () => (fs.existsSync(reloads) ? fs.readFileSync(reloads, "utf8").length : 0);
  const renamed = makeSecondBuild(second);
  return { home, second, renamed, settings, port, unit, caddy, release, reloadCount };
});

test.describe.configure({ timeout: 300_000 });

test("a release during traffic fails no request, keeps assets of open pages, and continues flows", async () => {
  const { caddy, home, second, renamed } = servers;
  const assets = await assetsOf(paths.slice(0, 4));
  expect(assets).toContain(renamed);
  const asset = await (await fetch(caddy.url + renamed)).text();
  const visitor = await visitorAtStep3(caddy.url);

  const traffic = startTraffic([...paths, ...assets]);
  await pause(1_600);
  const { status, stdout } = await servers.release("--build", second);
  await pause(2_400);
  await traffic.stop();
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^The release \S+ runs, after \S+\.\n$/)]);
  const { count, failures } = traffic;
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(4 * atOnce);

  expect((await new Visitor(caddy.url).visit("/")).html).not.toContain(renamed);
  expect(fs.readdirSync(join(home, "current", "web", "assets"), { recursive: true })).not.toContain(
    renamed.slice(1),
  );
  for (const path of assets) expect([path, (await fetch(caddy.url + path)).status]).toEqual([path, 200]);
  expect(await (await fetch(`${caddy.url}/licenses.txt`)).text()).toMatch(
    /^react-dom [\d.]+ \(MIT\)\n\nMIT License/m,
  );
  const { components } = JSON.parse(fs.readFileSync(join(home, "current", "sbom.json"), "utf8")) as {
    components: { name: string }[];
  };
  const packages = components.map(({ name }) => name);
  expect([packages.includes("react"), packages.includes("jest")]).toEqual([true, false]);
  const kept = await fetch(caddy.url + renamed);
  expect(kept.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await kept.text()).toBe(asset);
  expect((await visitor.like()).status).toBe(200);
  expect((await visitor.visit("/success")).html).toContain("Likes Delivered Successfully!");
});

test("two machines with different builds behind a round-robin serve every asset of 100 page views", async () => {
  const builds = [buildFolder("deployed"), servers.second];
  const machines = await Promise.all(
    builds.map(async (own) => {
      const home = fs.mkdtempSync(join(tmpdir(), "machine-"));
      await servers.keep({ stop: async () => fs.rmSync(home, { recursive: true }) });
      // Each machine gets the assets of both builds. The build that it runs is the last one.
      for (const each of [...builds, own]) installRelease(home, each);
      const port = await freePort();
      const env = { SITE_URL: siteUrl(port), TRUSTED_IP_HEADER: undefined, TRUSTED_PROXY_HOPS: "1" };
      const app = await servers.start({ folder: own, env });
      return servers.keep(startCaddy({ home, upstream: app.port, port }));
    }),
  );
  let turn = 0;
  const next = () => machines[turn++ % machines.length]?.url ?? "";
  let visitor = await visitorAtStep3(next());
  for (let load = 0; load < 100; load += 1) {
    visitor = visitor.at(next());
    const { html } = await visitor.visit(["/", "/faq", "/get-likes/", "/verification"][load % 4] ?? "/");
    expect(html).not.toMatch(/<title>[^<]*Start/);
    for (const path of assetsIn(html))
      expect([path, (await fetch(next() + path)).status]).toEqual([path, 200]);
  }
});

const currentBuild = () => fs.readFileSync(join(servers.home, "current", ".next", "BUILD_ID"), "utf8");

/** Releases a copy of the second build whose server begins with this code. */
async function releaseWith(code: string, ...args: string[]) {
  const folder = join(servers.home, "..", "broken");
  fs.cpSync(servers.second, folder, { recursive: true, verbatimSymlinks: true });
  const server = join(folder, "server.js");
  fs.writeFileSync(server, `${code}\n${fs.readFileSync(server, "utf8")}`);
  const result = await servers.release("--build", folder, ...args);
  fs.rmSync(folder, { recursive: true });
  return result;
}

/** Releases the second build, which is for a demo, with live settings. Some are missing, and one name is misspelled. */
function releaseOnLiveSettings(...args: string[]) {
  const live = join(servers.home, "..", "live.env");
  const text = fs.readFileSync(servers.settings, "utf8");
  fs.writeFileSync(live, `${text}LIKE_DELIVERY=webhook\nPOST_LOOKUP=oembed\nDAILY_LIKES_LIMIT=5000\n`);
  return servers.release("--build", servers.second, "--env", live, ...args);
}

const refused: { name: string; run: () => ReturnType<typeof servers.release>; says: RegExp }[] = [
  {
    name: "that cannot start with the site's settings",
    // This build is for live delivery, but the settings of the machine are for a demo.
    run: () => servers.release("--build", buildFolder("live")),
    says: /The release \S+ ended in a trial on another port.*\n[^]*this build was made for live delivery/,
  },
  {
    name: "that never responds",
    run: () => releaseWith("console.log('waiting'); setInterval(() => {}, 1000); return;", "--within", "2"),
    says: /The release \S+ did not answer within 2 s in a trial.*\nwaiting/,
  },
  {
    name: "of a demo build on live settings",
    run: () => releaseOnLiveSettings(),
    says: /is the build of a demo, and \S+live.env is for live delivery.*--demo-build/,
  },
  {
    name: "of a demo build with --demo-build, on live settings that are incomplete,",
    run: () => releaseOnLiveSettings("--demo-build"),
    says: /The release \S+ ended in a trial on another port.*\n[^]*did you mean DAILY_LIKE_LIMIT[^]*LIKE_WEBHOOK_URL: needed/,
  },
  {
    name: "that is no build",
    run: () => servers.release("--build", root),
    says: /is not a standalone build/,
  },
  { name: "with an unknown option", run: () => servers.release("--unknown"), says: /npm run release -- / },
];

for (const { name, run, says } of refused)
  test(`a release ${name} does not reach the running site`, async () => {
    const state = () => [servers.unit.pid(), currentBuild(), fs.readdirSync(join(servers.home, "releases"))];
    const before = state();
    const { status, stdout, stderr } = await run();
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(says);
    expect(state()).toEqual(before);
  });

test("a process that ends after the switch is noticed at once, and the release before runs again", async () => {
  const before = currentBuild();
  const kept = fs.readdirSync(join(servers.home, "releases"));
  const { status, stdout, stderr } = await releaseWith(
    `if (process.env.PORT === "${servers.port}") throw new Error("broken here");`,
    // Without a look at the process, the test would time out.
    ...["--within", "600"],
  );
  expect(stderr).toMatch(/The release \S+ ended. The last lines of its log are above/);
  expect(stdout).toMatch(
    /broken here[^]*Switched back to (\S+), and restarting …\nThe release \1 runs again.\n$/,
  );
  expect(status).toBe(1);
  expect([currentBuild(), fs.readdirSync(join(servers.home, "releases"))]).toEqual([before, kept]);
  const visitor = await visitorAtStep3(servers.caddy.url);
  expect((await visitor.visit("/")).html).toContain(before);
});

test("one command returns to the release that ran before, until there is none", async () => {
  const before = currentBuild();
  expect((await servers.release("--back")).status).toBe(0);
  expect(currentBuild()).not.toBe(before);
  expect((await new Visitor(servers.caddy.url).visit("/")).html).toContain(currentBuild());
  const pid = servers.unit.pid();
  expect(await servers.release("--back")).toMatchObject({ status: 1, stdout: "" });
  expect(servers.unit.pid()).toBe(pid);
});

test("npm run release reloads the web server only if paths or headers have changed", async () => {
  // A reload of Caddy resets connections that it has not accepted yet.
  expect((await servers.release("--build", servers.second)).status).toBe(0);
  const reloads = servers.reloadCount();
  expect((await servers.release("--build", buildFolder("deployed"))).status).toBe(0);
  expect(servers.reloadCount()).toBe(reloads);
  const headers = join(servers.second, "web", "content.caddy");
  fs.writeFileSync(headers, `${fs.readFileSync(headers, "utf8")}header X-Release second\n`);
  expect((await servers.release("--build", servers.second)).status).toBe(0);
  expect(servers.reloadCount()).toBe(reloads + 1);
  expect((await fetch(servers.caddy.url)).headers.get("x-release")).toBe("second");
});

test("a process that the unit does not know keeps the port, so no release is reported", async () => {
  const folder = fs.realpathSync(join(servers.home, "current"));
  process.kill(servers.unit.pid() ?? 0);
  await until("the port is free", async () => !(await accepts(servers.port)));
  const unknown = await servers.start({ folder, port: servers.port });
  const { status, stdout } = await servers.release("--build", folder);
  expect([status, stdout]).toEqual([1, expect.stringContaining("EADDRINUSE")]);
  expect(stdout).toContain("does not run either");
  await unknown.stop();
});

/**
 * Replaces systemd: runs the process of deploy/boost50.service. `commands` replace `systemctl restart`, which returns when the
 * new process has started, `systemctl is-active` and `journalctl`.
 */
async function startUnit(home: string, settings: string, port: number) {
  const unit = fs.readFileSync(join(root, "deploy", "boost50.service"), "utf8");
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
  const [program, ...args] = value("ExecStart").split(" ");
  expect([program, value("EnvironmentFile")]).toEqual(["/usr/bin/node", "/etc/boost50.env"]);
  const pairs = value("Environment").split(" ");
  const variables = Object.fromEntries(pairs.map((pair) => pair.split("="))) as Record<string, string>;
  const cwd = value("WorkingDirectory").replace("/opt/boost50", home);
  let running: Running | undefined;
  const stopRunning = async () => running && stop(running);
  const respond = async ({ path }: { path: string }) => {
    if (path === "/restart") {
      await stopRunning();
      const env = { NODE_ENV: "production", ...variables, ...readSettingsFile(settings), PORT: String(port) };
      running = startInBackground(process.execPath, args, { cwd, env });
    }
    const isAlive = running?.hasEnded() === false;
    return {
      status: path === "/alive" && !isAlive ? 503 : 200,
      body: path === "/log" ? running?.output() : "",
    };
  };
  const systemd = await startHttpDouble("", respond, {});
  const command = (name: string) => `curl --fail --silent ${systemd.url}/${name}`;
  return {
    commands: { restart: command("restart"), alive: command("alive"), log: command("log") },
    pid: () => running?.child.pid,
    output: () => running?.output(),
    async stop() {
      await systemd.stop();
      await stopRunning();
    },
  };
}

/** Copies the first build, changes its id, and renames a script of the home page. Returns the old path of the script. */
function makeSecondBuild(folder: string): string {
  const first = buildFolder("deployed");
  const home = fs.readFileSync(join(first, "web", "pages", "index.html"), "utf8");
  const [, path = "", name = ""] = /"(\/site\/(home-[\w-]+)\.js)"/.exec(home) ?? [];
  const id = fs.readFileSync(join(first, ".next", "BUILD_ID"), "utf8");
  // The compressed files contain the old name.
  const script = `cp -a "$1" "$2" && cd "$2"
    find . -name '${name}.js*' | while read -r file; do mv "$file" "$(echo "$file" | sed 's/${name}/${name}2/')"; done
    grep -rlIE --exclude-dir=node_modules '${name}|${id}' . | while read -r file; do
      rm -f "$file.br" "$file.gz"; sed -i 's/${name}/${name}2/g; s/${id}/${[...id].reverse().join("")}/g' "$file"
    done`;
  execFileSync("sh", ["-ec", script, "sh", first, folder]);
  return path;
}

/** Returns the URLs of the hashed files that the pages load. */
async function assetsOf(pages: string[]): Promise<string[]> {
  const visitor = new Visitor(servers.caddy.url);
  return assetsIn((await Promise.all(pages.map(async (path) => (await visitor.visit(path)).html))).join(""));
}

function assetsIn(html: string): string[] {
  const named = html.matchAll(/"(\/(?:_next\/static|site)\/[^"?]+)/g);
  return [...new Set(Array.from(named, ([, path = ""]) => path))];
}

/** Sends requests for pages, files and the API, `atOnce` at the same time. */
function startTraffic(paths: string[]) {
  // A browser repeats a request after the end of a kept connection. undici does not, so it keeps none.
  const dispatcher = new Agent({ pipelining: 0 });
  const body = JSON.stringify({ instagramUrl: "https://www.instagram.com/p/Cxyz123abc_/" });
  const like = { method: "POST", headers: { "content-type": "application/json" }, body } as const;
  const traffic = { count: 0, failures: [] as string[], stop };
  let stopped = false;
  const visitors = Array.from({ length: atOnce }, async (_, first) => {
    for (let turn = first; !stopped; turn++) {
      const path = turn % 4 === 0 ? "/api/instagram/like" : (paths[turn % paths.length] ?? "/");
      // Without a flow, the process responds 403 to a request for likes.
      const expected = turn % 4 === 0 ? 403 : path === "/nothing-here" ? 404 : 200;
      const options = { dispatcher, ...(turn % 4 === 0 && like) };
      const outcome = await request(servers.caddy.url + path, options)
        .then(({ statusCode, body }) => body.dump().then(() => statusCode))
        .catch(String);
      if (outcome !== expected) traffic.failures.push(`${path}: ${outcome}`);
      traffic.count += 1;
      await pause(20);
    }
  });
  async function stop(): Promise<void> {
    stopped = true;
    await Promise.all(visitors);
    await dispatcher.close();
  }
  return traffic;
}

/** Runs npm run release without a terminal. */
async function runRelease(port: number, ...args: string[]) {
  const health = `http://127.0.0.1:${port}/api/health`;
  const all = ["scripts/release.mjs", "--health", health, ...args];
  const running = startInBackground(process.execPath, all);
  const status = await running.ended;
  return { status, stdout: running.output("stdout"), stderr: running.output("stderr") };
}
