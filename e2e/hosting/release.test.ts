import { expect, test, useServers } from "@/testing/test";
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { buildsFolder, type builds } from "@/testing/servers/builds";
import { freePort, accepts } from "@/scripts/lib/ports.mjs";
import { startUnit } from "./systemd-unit";
import { until } from "@/testing/until";
import { caddyfile, installRelease, siteUrl, startCaddy } from "@/testing/servers/web-server";
import { Visitor, referenceOf, visitorAtStep3 } from "@/testing/visitor";

/*
 * npm run release during traffic, on a machine as in docs/deploy-systemd.md: the process of the shipped unit behind the
 * shipped Caddyfile. RELEASE_SECONDS=60 sets a longer test.
 */

const root = join(__dirname, "..", "..");
const seconds = Number(process.env.RELEASE_SECONDS || 4);
const atOnce = 16;
const paths = ["/", "/faq", "/terms", "/get-likes/", "/api/instagram/daily-usage", "/nothing-here"];

const likeBody = JSON.stringify({ instagramUrl: "https://www.instagram.com/p/Cxyz123abc_/" });

const servers = useServers({}, async (servers) => {
  const folder = mkdtempSync(join(tmpdir(), "machine-"));
  // The trial of a release runs as the user nobody.
  chmodSync(folder, 0o755);
  await servers.keep({ stop: async () => rmSync(folder, { recursive: true }) });
  const [home, settings, second] = ["home", "settings.env", "second"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const [port, httpsPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  // Only the user of the unit may read a secret of LoadCredential. The trial of a release has another user.
  const secret = join(folder, "secret");
  writeFileSync(secret, "visitor-secret-of-the-tests-0123456789\n", { mode: 0o400 });
  writeFileSync(settings, settingsFile(servers.redis.url, siteUrl(httpsPort), secret));
  const unit = await servers.keep(startUnit({ home, settings, port }));
  const commands = Object.entries(unit.commands).flatMap(([name, value]) => [`--${name}`, value]);
  const command = ["--home", home, "--env", settings, ...commands];

  // The web server needs a release when it starts.
  const first = await run(port, process.env, ...command, "--reload", "true", "--build", build("deployed"));
  if (first.status !== 0) throw new Error(first.stdout + first.stderr + unit.output());
  const caddy = await servers.keep(startCaddy({ home, upstream: port, port: httpsPort, adminPort }));
  const reloads = join(folder, "reloads");
  const reload = `echo >> '${reloads}'; caddy reload --config '${caddyfile}' --adapter caddyfile --address localhost:${adminPort}`;
  const release = (...args: string[]) => run(port, caddy.env, ...command, "--reload", reload, ...args);
  const reloadCount = () => (existsSync(reloads) ? readFileSync(reloads, "utf8").length : 0);
  const renamed = makeSecondBuild(second);
  return { home, second, renamed, settings, port, unit, caddy, release, reloadCount };
});

test(`a release during ${seconds} s of traffic fails no request, keeps assets of open pages, and continues flows`, async () => {
  const { caddy, home, second, renamed } = servers;
  const assets = await assetsOf(paths.slice(0, 4));
  expect(assets).toContain(renamed);
  const asset = await (await fetch(caddy.url + renamed)).text();
  const visitor = await visitorAtStep3(caddy.url);

  const traffic = startTraffic([...paths, ...assets]);
  const { status, stdout } = await (async () => {
    await pause(seconds * 400);
    return servers.release("--build", second);
  })().finally(async () => {
    await pause(seconds * 600);
    await traffic.stop();
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^The release \S+ runs, after \S+\.\n$/)]);
  const { count, failures } = traffic;
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(seconds * atOnce);

  expect((await new Visitor(caddy.url).visit("/")).html).not.toContain(renamed);
  expect(readdirSync(join(home, "current", "web", "assets"), { recursive: true })).not.toContain(
    renamed.slice(1),
  );
  for (const path of assets) expect([path, (await fetch(caddy.url + path)).status]).toEqual([path, 200]);
  const kept = await fetch(caddy.url + renamed);
  expect([kept.headers.get("cache-control"), await kept.text()]).toEqual([
    "public, max-age=31536000, immutable",
    asset,
  ]);
  const reference = referenceOf(await visitor.like());
  const receipt = await visitor.visit("/success");
  expect([receipt.status, receipt.html.includes("You Need to Start"), reference]).toEqual([
    200,
    false,
    expect.any(String),
  ]);
});

test("two machines with different builds behind a round-robin serve every asset of 100 page views", async () => {
  const builds = [build("deployed"), servers.second];
  const machines = await Promise.all(
    builds.map(async (own) => {
      const home = mkdtempSync(join(tmpdir(), "machine-"));
      await servers.keep({ stop: async () => rmSync(home, { recursive: true }) });
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
  const missing: string[] = [];
  const titles = new Set<string>();
  for (let load = 0; load < 100; load += 1) {
    visitor = visitor.at(next());
    const { html } = await visitor.visit(["/", "/faq", "/get-likes/", "/verification"][load % 4] ?? "/");
    titles.add(/<title>([^|<]*)/.exec(html)?.[1]?.trim() ?? "");
    for (const path of assetsIn(html)) {
      const { status } = await fetch(next() + path);
      if (status !== 200) missing.push(`${status} ${path}`);
    }
  }
  expect(missing).toEqual([]);
  expect([...titles].filter((title) => title.includes("Start"))).toEqual([]);
});

const currentBuild = () => readFileSync(join(servers.home, "current", ".next", "BUILD_ID"), "utf8");

/** Releases a copy of the second build whose server begins with this code. */
async function releaseWith(code: string, ...args: string[]) {
  const folder = join(servers.home, "..", "broken");
  cpSync(servers.second, folder, { recursive: true, verbatimSymlinks: true });
  const server = join(folder, "server.js");
  writeFileSync(server, `${code}\n${readFileSync(server, "utf8")}`);
  const result = await servers.release("--build", folder, ...args);
  rmSync(folder, { recursive: true });
  return result;
}

/** Releases the second build, which is for a demo, with a file of live settings. The file lacks some settings. */
function releaseOnLiveSettings(...args: string[]) {
  const live = join(servers.home, "..", "live.env");
  const text = readFileSync(servers.settings, "utf8");
  writeFileSync(live, `${text}LIKE_DELIVERY=webhook\nPOST_LOOKUP=oembed\n`);
  return servers.release("--build", servers.second, "--env", live, ...args);
}

const refused: { name: string; run: () => ReturnType<typeof servers.release>; says: RegExp }[] = [
  {
    name: "that cannot start with the site's settings",
    // This build is for live delivery, but the settings of the machine are for a demo.
    run: () => servers.release("--build", build("live")),
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
    says: /The release \S+ ended in a trial on another port.*\n[^]*LIKE_WEBHOOK_URL: needed/,
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
    const state = () => [servers.unit.pid(), currentBuild(), readdirSync(join(servers.home, "releases"))];
    const before = state();
    const { status, stdout, stderr } = await run();
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(says);
    expect(state()).toEqual(before);
  });

test("a process that ends after the switch is noticed at once, and the release before runs again", async () => {
  const before = currentBuild();
  const kept = readdirSync(join(servers.home, "releases"));
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
  expect([currentBuild(), readdirSync(join(servers.home, "releases"))]).toEqual([before, kept]);
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
  expect((await servers.release("--build", build("deployed"))).status).toBe(0);
  expect(servers.reloadCount()).toBe(reloads);
  const headers = join(servers.second, "web", "content.caddy");
  writeFileSync(headers, `${readFileSync(headers, "utf8")}header X-Release second\n`);
  expect((await servers.release("--build", servers.second)).status).toBe(0);
  expect(servers.reloadCount()).toBe(reloads + 1);
  expect((await fetch(servers.caddy.url)).headers.get("x-release")).toBe("second");
});

test("a process that the unit does not know keeps the port, so no release is reported", async () => {
  const folder = realpathSync(join(servers.home, "current"));
  process.kill(servers.unit.pid() ?? 0);
  await until("the port is free", async () => !(await accepts(servers.port)));
  const unknown = await servers.start({ folder, port: servers.port });
  const { status, stdout } = await servers.release("--build", folder);
  expect([status, stdout]).toEqual([1, expect.stringContaining("EADDRINUSE")]);
  expect(stdout).toContain("does not run either");
  await unknown.stop();
});

function settingsFile(redisUrl: string, siteUrl: string, secretFile: string): string {
  const settings = {
    SITE_URL: siteUrl,
    SESSION_SECRET: "a secret | with # and $HOME and \\ of 32 characters or more",
    VISITOR_HASH_SECRET_FILE: secretFile,
    REDIS_URL: redisUrl,
    TRUSTED_PROXY_HOPS: "1",
    TEST_RATE_LIMIT_SCALE: "1000",
    ALTCHA_COST: "50",
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join("");
}

function build(name: keyof typeof builds): string {
  return join(root, buildsFolder, name);
}

/** Copies the first build, changes its id, and renames a script of the home page. Returns the old path of the script. */
function makeSecondBuild(folder: string): string {
  const first = build("deployed");
  const home = readFileSync(join(first, "web", "pages", "index.html"), "utf8");
  const [, path = "", name = ""] = /"(\/site\/(home-[\w-]+)\.js)"/.exec(home) ?? [];
  const id = readFileSync(join(first, ".next", "BUILD_ID"), "utf8");
  const changed = (content: string) =>
    content.replaceAll(name, `${name}2`).replaceAll(id, [...id].reverse().join(""));
  cpSync(first, folder, { recursive: true, verbatimSymlinks: true });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const entry of files.filter(({ parentPath }) => !parentPath.includes("node_modules"))) {
    const file = join(entry.parentPath, entry.name);
    if (/\.(?:br|gz)$/.test(file)) continue;
    const content = readFileSync(file);
    const other = isText(file) ? Buffer.from(changed(content.toString())) : content;
    const place = join(entry.parentPath, entry.name.replace(name, `${name}2`));
    if (place === file && other.equals(content)) continue;
    // The compressed files contain the old name.
    for (const ending of ["", ".br", ".gz"]) rmSync(file + ending, { force: true });
    writeFileSync(place, other);
  }
  return path;
}

function isText(file: string): boolean {
  return [".html", ".js", ".json", ".rsc", ".body", ".meta", ""].includes(extname(file));
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
  const traffic = { count: 0, failures: [] as string[], stop };
  let stopped = false;
  const visitors = Array.from({ length: atOnce }, async (_, first) => {
    for (let turn = first; !stopped; turn++) {
      const path = paths[turn % paths.length] ?? "/";
      const likes = turn % 4 === 0;
      // Without a flow, the process responds 403 to a request for likes.
      const expected = likes ? 403 : path === "/nothing-here" ? 404 : 200;
      const outcome = await askOnce(likes ? "/api/instagram/like" : path, likes ? likeBody : undefined);
      if (outcome !== expected) traffic.failures.push(`${likes ? "like" : path}: ${outcome}`);
      traffic.count += 1;
      await pause(20);
    }
  });
  async function stop(): Promise<void> {
    stopped = true;
    await Promise.all(visitors);
  }
  return traffic;
}

/**
 * Returns the status of a response, or the error, over a new connection. A browser repeats a request after the end of a
 * kept connection, but the libraries of the tests do not.
 */
function askOnce(path: string, body?: string): Promise<number | string> {
  const method = body === undefined ? "GET" : "POST";
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body ?? "") };
  return new Promise((resolve) => {
    const options = { method, agent: false, headers: body === undefined ? {} : headers };
    request(servers.caddy.url + path, options, (answer) => {
      answer
        .resume()
        .on("end", () => resolve(answer.statusCode ?? 0))
        .on("error", (error) => resolve(String(error)));
    })
      .on("error", (error) => resolve(String(error)))
      .end(body);
  });
}

/** Runs npm run release without a terminal. */
async function run(port: number, env: NodeJS.ProcessEnv, ...args: string[]) {
  const health = `http://127.0.0.1:${port}/api/health`;
  const child = spawn(process.execPath, ["scripts/release.mjs", "--health", health, ...args], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await ended, stdout, stderr };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
