import { expect, test, useServers } from "../support/test";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildsFolder } from "../support/servers/builds";
import { freePort } from "../support/ports";
import { Visitor } from "../support/visitor";
import { startCaddyAt } from "../support/servers/web-server";

/*
 * The image "web" without Docker: a folder with the files that the Dockerfile copies, the command of the image, and the
 * environment of compose.yaml. It proxies to the standalone output, which the image "site" runs.
 */

const root = join(__dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const dayMs = 24 * 3_600_000;

const servers = useServers({}, async (servers) => {
  const image = mkdtempSync(join(tmpdir(), "image-"));
  await servers.keep({ stop: async () => rmSync(image, { recursive: true }) });
  for (const { from, to } of copies("web")) cpSync(from, join(image, to), { recursive: true });
  const home = join(image, "opt", "boost50");
  const site = await servers.start({
    build: "deployed",
    env: { HOSTNAME: "0.0.0.0", TRUSTED_IP_HEADER: undefined, TRUSTED_PROXY_HOPS: "1" },
  });
  const command = commandOf("web", image);
  const caddy = await servers.keep(
    startCaddyAt({ home, upstream: site.port, port: await freePort(), command }),
  );
  return { image, home, caddy };
});

test("serves pages, assets and the API with the image's command and Caddyfile", async () => {
  const visitor = new Visitor(servers.caddy.url);
  const { status, html } = await visitor.visit("/");
  const [, asset = ""] = /src="(\/_next\/static\/[^"]+)"/.exec(html) ?? [];
  const statuses = [status, (await visitor.fetch(asset)).status, (await visitor.visit("/get-likes/")).status];
  expect([...statuses, (await visitor.get("/api/instagram/daily-usage")).status]).toEqual([
    200, 200, 200, 200,
  ]);
});

test("has all files that the images copy", () => {
  const paths = ["build", "web", "site"].flatMap(copies);
  expect(paths.length).toBeGreaterThan(4);
  expect(paths.filter(({ from }) => !existsSync(from))).toEqual([]);
});

test("keeps an asset of an earlier release for a week", () => {
  const assets = join(servers.home, "assets");
  const put = (name: string, days: number) => {
    const time = new Date(Date.now() - days * dayMs);
    writeFileSync(join(assets, name), "");
    utimesSync(join(assets, name), time, time);
  };
  put("forgotten.js", 9);
  put("recent.js", 6);
  put("used until now.js", 30);
  writeFileSync(join(assets, ".latest"), "./used until now.js\n");
  const start = () =>
    execFileSync("/bin/sh", [join(root, "deploy", "start-web.sh"), "true"], {
      env: environment(servers.home),
    });
  start();
  expect(readdirSync(assets)).toEqual(
    expect.arrayContaining(["_next", "recent.js", "site", "used until now.js"]),
  );
  expect(readdirSync(assets)).not.toContain("forgotten.js");
  put("used until now.js", 8.5);
  start();
  expect(readdirSync(assets)).not.toContain("used until now.js");
});

function environment(home: string): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", PATH: process.env.PATH, BOOST50_HOME: home };
}

/** Returns the part of the Dockerfile that builds an image. */
function stage(name: string): string {
  const found = read("Dockerfile")
    .split(/^(?=FROM )/m)
    .find((text) => text.split("\n")[0]?.endsWith(` AS ${name}`));
  if (!found) throw new Error(`The Dockerfile has no ${name}.`);
  return found;
}

/** Returns the files that an image copies, with their place in the image. */
function copies(name: string): { from: string; to: string }[] {
  const lines = stage(name).matchAll(/^COPY (--from=build )?(.+) (\S+)$/gm);
  return Array.from(lines).flatMap(([, built, sources = "", to = ""]) =>
    sources.split(" ").map((source) => ({
      from: built
        ? source.replace("/app/.next/standalone", join(root, buildsFolder, "deployed"))
        : join(root, source),
      to,
    })),
  );
}

/** Returns the command of an image, with paths in the folder of the test. */
function commandOf(name: string, image: string): string[] {
  const list = (key: string) =>
    JSON.parse(new RegExp(`^${key} (.*)$`, "m").exec(stage(name))?.[1] ?? "[]") as string[];
  const [entry = "", ...rest] = [...list("ENTRYPOINT"), ...list("CMD")];
  const words = rest.map((word) => (word.startsWith("/") ? join(image, word) : word));
  return ["/bin/sh", join(image, "usr", "local", "bin", entry), ...words];
}
