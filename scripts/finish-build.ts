/*
 * The last step of a build. Every navigation is a full page load, so a prerendered page is served just as it lies in
 * the build's folder; here those files get what the framework does not give them (docs/decisions/0009-post-processed-pages.md):
 * pages lose the framework's script, those with something to use get the scripts of their islands instead, and every page
 * gets a content security policy, under which no inline script runs, and an ETag.
 * Scripts that pages start with are marked for compiling while they arrive.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { parseBuildSettings, type BuildSettings } from "../lib/config/build-settings";
import { pagePolicy } from "../lib/http/content-security-policy";
import { pages, type Page } from "../lib/http/pages";
import {
  addModules,
  etagOf,
  hasInlineScript,
  hintCompilation,
  islandsOf,
  nameBuild,
  pinPolicy,
  startScripts,
  stripFramework,
} from "./lib/finish-page";
import { buildIslands, type IslandScripts } from "./lib/islands";
import { bundleHttpServer, replaceStandaloneServer } from "./lib/http-server.mjs";
import { makeWebFolder } from "./lib/web-folder";

const dist = ".next";
const standalone = join(dist, "standalone");

/** The framework's own client components, which every page refers to. The error screens do nothing on a content page. */
const frameworkModules = /\/node_modules\/next\/|\[project\]\/app\/(?:global-)?error\.tsx/;
/** What only keeps in the browser what the server wrote (components/site/static-html.tsx) loses nothing without script. */
const staticModules = /\/static-(?:header|footer|html)\.tsx/;

async function finish(): Promise<void> {
  const build = readBuildSettings();
  // While the pages name their scripts as the framework wrote them.
  hintStartScripts();
  const scripts = await buildIslands(dist);
  const folders = [dist, join(standalone, dist)].filter((folder) => existsSync(folder));
  const problems = folders.flatMap((folder) => finishPages(folder, build, scripts));
  if (problems.length > 0) {
    console.error(
      `These pages cannot be post-processed:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    process.exit(1);
  }
  for (const folder of folders) await bundleHttpServer(folder);
  // The standalone output is complete with these two: https://nextjs.org/docs/app/api-reference/config/next-config-js/output
  if (existsSync(standalone)) {
    cpSync("public", join(standalone, "public"), { recursive: true });
    cpSync(join(dist, "static"), join(standalone, dist, "static"), { recursive: true });
    replaceStandaloneServer(standalone, dist);
    await makeWebFolder(dist, join(standalone, "web"), build);
  }
}

/** What the pages were built with, as next.config.ts captured it. */
function readBuildSettings(): BuildSettings {
  const manifest = JSON.parse(readFileSync(join(dist, "required-server-files.json"), "utf8")) as {
    config: { env: { BUILD_SETTINGS: string } };
  };
  return parseBuildSettings(JSON.parse(manifest.config.env.BUILD_SETTINGS));
}

/** Finishes every prerendered page of a build; returns what is wrong with those that it could not. */
function finishPages(folder: string, build: BuildSettings, scripts: IslandScripts): string[] {
  const problems: string[] = [];
  for (const { file, path } of prerenderedPages(folder)) {
    try {
      const html = readFileSync(file, "utf8");
      const islands = islandsOf(html);
      requireIslands(folder, file, path, islands);
      const stripped = stripFramework(html);
      const files = new Set(islands.flatMap((name) => scriptsOf(name, scripts)));
      const finished = files.size > 0 ? addModules(stripped, [...files]) : stripped;
      if (hasInlineScript(finished))
        throw new Error("it has an inline script, which its content security policy blocks");
      const pinned = nameBuild(
        pinPolicy(finished, pagePolicy(build, path)),
        readFileSync(join(folder, "BUILD_ID"), "utf8"),
      );
      writeFileSync(file, pinned);
      addHeader(file, "etag", etagOf(pinned));
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

/** Adds a header to the answers of a prerendered page. The error pages in server/pages have none of their own. */
function addHeader(file: string, name: string, value: string): void {
  const place = file.replace(/\.html$/, ".meta");
  if (!existsSync(place)) return;
  const meta = JSON.parse(readFileSync(place, "utf8")) as { headers?: Record<string, string> };
  writeFileSync(place, JSON.stringify({ ...meta, headers: { ...meta.headers, [name]: value } }));
}

/** Marks what pages that keep the framework run when they open; what they load later on demand stays as it is. */
function hintStartScripts(): void {
  const pagesHtml = prerenderedPages(dist)
    .filter(({ path }) => kindOf(path) === "app")
    .map(({ file }) => readFileSync(file, "utf8"));
  for (const name of new Set(pagesHtml.flatMap(startScripts))) {
    const file = join(dist, name);
    writeFileSync(file, hintCompilation(readFileSync(file, "utf8")));
  }
}

interface PrerenderedPage {
  file: string;
  /** The path of the route table; what no path has is named by its status. */
  path: string;
}

function prerenderedPages(folder: string): PrerenderedPage[] {
  const app = join(folder, "server", "app");
  const errors = join(folder, "server", "pages");
  // The page for failures is a page of ours; Next's own would be unstyled under this policy.
  const failure = join(app, `${pages.failure.path}.html`);
  for (const file of [join(app, "_global-error.html"), join(errors, "500.html")]) cpSync(failure, file);
  return [...htmlFiles(app), ...htmlFiles(errors)].map((file) => ({ file, path: pathOf(file) }));
}

function htmlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(folder, name));
}

const specialPaths: Record<string, string> = {
  "/index": pages.home.path,
  "/_global-error": pages.failure.path,
  "/500": pages.failure.path,
  "/_not-found": "404",
  "/404": "404",
};

function pathOf(file: string): string {
  const name = file.replace(/^.*\/server\/(?:app|pages)(\/.*)\.html$/, "$1");
  return specialPaths[name] ?? name;
}

function kindOf(path: string): "content" | "app" {
  if (path === "404") return "content";
  const page = Object.values<Page>(pages).find((each) => each.path === path);
  if (!page) throw new Error("lib/http/pages.ts does not list it");
  return page.kind;
}

/** The framework's script is taken out of pages, so that a client component of ours outside of an island would be dead. */
function requireIslands(folder: string, file: string, path: string, islands: readonly string[]): void {
  const kind = kindOf(path);
  if ((kind === "app") !== islands.length > 0) {
    throw new Error(`lib/http/pages.ts lists it as "${kind}", but it has ${islands.length} islands`);
  }
  const payload = file.replace(/\.html$/, ".rsc");
  // The error pages in server/pages are copies of others.
  if (!existsSync(payload)) return;
  const references = clientReferences(folder);
  const rsc = readFileSync(payload, "utf8");
  const strays = Array.from(rsc.matchAll(/^([0-9a-f]+):I\[(\d+),/gm))
    .filter(([, row = ""]) => isUsedOutsideIslands(rsc, row))
    .map(([, , id = ""]) => references.get(id) ?? `module ${id}`)
    .filter((module) => !frameworkModules.test(module) && !staticModules.test(module));
  if (strays.length > 0) {
    throw new Error(
      `it uses client components outside of an island, which no script hydrates: ${strays.join(", ")}. ` +
        "Make them islands (components/islands), or use native elements or the site script",
    );
  }
}

/** Whether a page's data names a client component, by its row, anywhere but right within an island. */
function isUsedOutsideIslands(rsc: string, row: string): boolean {
  const island = new RegExp(
    String.raw`"data-island":"[^"]+","data-props":"(?:[^"\\]|\\.)*","className":"contents","children":\["\$","\$L${row}"`,
    "g",
  );
  return rsc.replace(island, "").includes(`"$L${row}"`);
}

/** The scripts of an island; its name begins with that of its entry in components/islands. */
function scriptsOf(island: string, scripts: IslandScripts): readonly string[] {
  const files = scripts.get(island.split("/")[0] ?? "");
  if (!files) throw new Error(`components/islands has no script for the island ${island}`);
  return files;
}

/** Which module a client reference's id means, over all pages of a build. */
function clientReferences(folder: string): Map<string, string> {
  const app = join(folder, "server", "app");
  // The manifests are scripts that fill in this variable.
  const context = createContext({ __RSC_MANIFEST: {} as Record<string, Manifest> });
  for (const name of readdirSync(app, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith("page_client-reference-manifest.js")) {
      runInContext(readFileSync(join(app, name), "utf8"), context);
    }
  }
  const manifests = Object.values(context.__RSC_MANIFEST as Record<string, Manifest>);
  return new Map(
    manifests.flatMap(({ clientModules }) =>
      Object.entries(clientModules).map(([module, { id }]) => [String(id), module] as const),
    ),
  );
}

interface Manifest {
  clientModules: Record<string, { id: string | number }>;
}

void finish();
