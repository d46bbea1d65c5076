/*
 * Runs after `next build` and edits the built pages (docs/decisions/0011-built-pages.md). Removes Next's
 * scripts, because each navigation loads a whole page. Adds a content security policy and an ETag.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { parseBuildSettings, type BuildSettings } from "../lib/config/build-settings";
import { pagePolicy } from "../lib/http/content-security-policy";
import { pages, type Page } from "../lib/http/pages";
import {
  checkReactVersions,
  etagOf,
  findClientComponents,
  hasInlineScript,
  islandsOf,
  nameBuild,
  pinPolicy,
  stripFramework,
} from "./lib/post-process-page";
import { bundleHttpServer, replaceStandaloneServer } from "./lib/http-server.mjs";
import { makeWebFolder } from "./lib/web-folder";

const dist = ".next";
const standalone = join(dist, "standalone");

/** Client components that may be outside an island, because their HTML needs no hydration. */
const withoutHydration = /\/node_modules\/next\/|\/components\/site\/(?:header|footer)\.tsx/;

async function postProcessBuild(): Promise<void> {
  const build = readBuildSettings();
  const folders = [dist, join(standalone, dist)].filter((folder) => existsSync(folder));
  const problems = [
    ...checkReactVersions({ browser: versionOf("react"), next: versionOf("next/dist/compiled/react") }),
    ...folders.flatMap((folder) => postProcessPages(folder, build)),
  ];
  if (problems.length > 0) {
    console.error(`The build cannot be post-processed:\n${problems.map((each) => `  ${each}`).join("\n")}`);
    process.exit(1);
  }
  removeUnusedFiles();
  for (const folder of folders) await bundleHttpServer(folder);
  writeAdsTxt(build);
  // Next.js leaves it to us to copy these two folders into the standalone output:
  // https://nextjs.org/docs/app/api-reference/config/next-config-js/output
  if (existsSync(standalone)) {
    cpSync("public", join(standalone, "public"), { recursive: true });
    cpSync(join(dist, "static"), join(standalone, dist, "static"), { recursive: true });
    replaceStandaloneServer(standalone, dist);
    await makeWebFolder(dist, join(standalone, "web"), build);
  }
}

/** Deletes the published files that no page and no style sheet names, for example the scripts of Next.js. */
function removeUnusedFiles(): void {
  const folder = join(dist, "static");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("."),
  );
  const read = (names: string[]) => names.map((name) => readFileSync(name, "utf8")).join();
  const isNamed = (text: string) => (name: string) => text.includes(basename(name));
  const html = read(htmlFiles(join(dist, "server")));
  const used = files.filter(isNamed(html));
  const styles = read(used.filter((name) => name.endsWith(".css")).map((name) => join(folder, name)));
  for (const name of files) if (!isNamed(html + styles)(name)) rmSync(join(folder, name));
}

/** Writes or deletes ads.txt, which names the ad network (https://iabtechlab.com/ads-txt/). */
function writeAdsTxt({ ADS_CLIENT }: BuildSettings): void {
  const file = join("public", "ads.txt");
  // The last field is Google's ID: https://support.google.com/adsense/answer/12171612
  const line = `google.com, ${ADS_CLIENT?.replace("ca-", "")}, DIRECT, f08c47fec0942fa0\n`;
  if (ADS_CLIENT) writeFileSync(file, line);
  else rmSync(file, { force: true });
}

function versionOf(reactModule: string): string {
  return (createRequire(import.meta.url)(reactModule) as { version: string }).version;
}

/** Returns the settings of the build, which next.config.ts has stored. */
function readBuildSettings(): BuildSettings {
  const manifest = JSON.parse(readFileSync(join(dist, "required-server-files.json"), "utf8")) as {
    config: { env: { BUILD_SETTINGS: string } };
  };
  return parseBuildSettings(JSON.parse(manifest.config.env.BUILD_SETTINGS));
}

/** Edits all prerendered pages of a build. Returns the problems of pages that it cannot edit. */
function postProcessPages(folder: string, build: BuildSettings): string[] {
  const modules = readClientModules(folder);
  const buildId = readFileSync(join(folder, "BUILD_ID"), "utf8");
  return prerenderedPages(folder).flatMap(({ file, path, isCopy }) => {
    try {
      const html = readFileSync(file, "utf8");
      checkIslands(path, islandsOf(html));
      if (!isCopy) checkPayload(file.replace(/\.html$/, ".rsc"), modules);
      const stripped = stripFramework(html);
      if (hasInlineScript(stripped))
        throw new Error("it has an inline script, which its content security policy blocks");
      const finished = nameBuild(pinPolicy(stripped, pagePolicy(build, path)), buildId);
      writeFileSync(file, finished);
      addHeader(file, "etag", etagOf(finished));
      return [];
    } catch (error) {
      return [`${path}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

/** Adds a response header to a prerendered page. The error pages in server/pages have no file for headers. */
function addHeader(file: string, name: string, value: string): void {
  const metaFile = file.replace(/\.html$/, ".meta");
  if (!existsSync(metaFile)) return;
  const meta = JSON.parse(readFileSync(metaFile, "utf8")) as { headers?: Record<string, string> };
  writeFileSync(metaFile, JSON.stringify({ ...meta, headers: { ...meta.headers, [name]: value } }));
}

interface PrerenderedPage {
  file: string;
  /** A path of lib/http/pages.ts, or "404". */
  path: string;
  /** True for a copy of another page. Next.js writes no payload for a copy. */
  isCopy: boolean;
}

function prerenderedPages(folder: string): PrerenderedPage[] {
  const app = join(folder, "server", "app");
  const errors = join(folder, "server", "pages");
  // Replaces the error pages of Next.js, whose inline styles the policy blocks.
  const failure = join(app, `${pages.failure.path}.html`);
  const replaced = [join(app, "_global-error.html"), join(errors, "500.html")];
  for (const file of replaced) cpSync(failure, file);
  return [...htmlFiles(app), ...htmlFiles(errors)].map((file) => {
    const name = file.replace(/^.*\/server\/(?:app|pages)(\/.*)\.html$/, "$1");
    const path = specialPaths[name] ?? name.replace(/^(\/private-account-error)\/.*/, "$1");
    return { file, path, isCopy: file.startsWith(errors) || replaced.includes(file) };
  });
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

/** Throws if the page has no islands but lib/http/pages.ts lists it as "app", and the other way round. */
function checkIslands(path: string, islands: readonly string[]): void {
  const page = Object.values<Page>(pages).find((each) => each.path === path);
  if (!page && path !== "404") throw new Error("lib/http/pages.ts does not list it");
  const kind = page?.kind ?? "content";
  if ((kind === "app") !== islands.length > 0) {
    throw new Error(`lib/http/pages.ts lists it as "${kind}", but it has ${islands.length} islands`);
  }
  const repeated = islands.find((name, index) => islands.indexOf(name) !== index);
  if (repeated) throw new Error(`it has two islands with the name ${repeated}, but only one is hydrated`);
}

/** Throws if a client component is outside an island. Without Next's scripts, nothing hydrates it. */
function checkPayload(file: string, modules: ReadonlyMap<string, string>): void {
  if (!existsSync(file))
    throw new Error(`its payload is missing (${file}), so its islands cannot be checked`);
  const outside = findClientComponents(readFileSync(file, "utf8"), modules).filter(
    (module) => !withoutHydration.test(module),
  );
  if (outside.length > 0) {
    throw new Error(
      `it uses client components outside of an island, which no script hydrates: ${outside.join(", ")}. ` +
        "Make them islands (components/islands), or use native elements or the site script",
    );
  }
}

/** Returns the source file of each client component, by the id that payloads contain. */
function readClientModules(folder: string): Map<string, string> {
  const app = join(folder, "server", "app");
  // The manifests are scripts that fill this variable.
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

void postProcessBuild();
