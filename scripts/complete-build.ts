/*
 * The last step of `npm run build`, after `next build` (docs/architecture.md, "Build"): deletes unused files, stores the
 * settings of the build, bundles the HTTP server and the tools of operators, and completes the standalone output, also by its
 * list of packages. On Vercel, it only edits the pages if no adapter has.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { loadEnvConfig } from "@next/env";
import { captureBuildSettings, parseBuildSettings } from "../lib/config/build-settings";
import { bundleHttpServer, bundleTools, httpServerFile } from "./lib/bundle-programs.mjs";
import { htmlFiles, postProcessPages } from "./lib/post-process-pages";
import { makeWebFolder, type BuiltFile } from "./lib/web-folder";

const dist = ".next";
const adapterOutput = join(dist, "adapter-output.json");

async function completeBuild(): Promise<void> {
  loadEnvConfig(process.cwd());
  // Vercel's tool builds without an adapter, unless its own adapter is switched on. It takes the files after this step.
  if (!existsSync(adapterOutput)) return postProcessPages(dist);
  if (process.env.NEXT_ADAPTER_PATH) return;
  removeUnusedFiles();
  writeFileSync(join(dist, "build-settings.json"), captureBuildSettings(process.env));
  await bundleHttpServer(dist);
  await bundleTools(join(dist, "tools"));
  const standalone = join(dist, "standalone");
  if (existsSync(standalone)) await completeStandalone(standalone);
}

/** Deletes the published files that no page and no style sheet names, for example the scripts of Next.js. */
function removeUnusedFiles(): void {
  const folder = join(dist, "static");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("."),
  );
  const read = (names: string[]) => names.map((name) => readFileSync(name, "utf8")).join();
  const isNamed = (text: string) => (name: string) => text.includes(basename(name));
  const html = read(htmlFiles(dist));
  const used = files.filter(isNamed(html));
  const styles = read(used.filter((name) => name.endsWith(".css")).map((name) => join(folder, name)));
  for (const name of files) if (!isNamed(html + styles)(name)) rmSync(join(folder, name));
}

async function completeStandalone(standalone: string): Promise<void> {
  const { config, files } = JSON.parse(readFileSync(adapterOutput, "utf8")) as {
    config: object;
    files: BuiltFile[];
  };
  // Next.js leaves it to us to copy these two folders into the standalone output:
  // https://nextjs.org/docs/app/api-reference/config/next-config-js/output
  cpSync("public", join(standalone, "public"), { recursive: true });
  for (const name of ["static", "build-settings.json", httpServerFile])
    cpSync(join(dist, name), join(standalone, dist, name), { recursive: true });
  writeFileSync(join(standalone, "server.js"), standaloneServer(config));
  writeFileSync(join(standalone, "sbom.json"), listPackages());
  await makeWebFolder(files, dist, join(standalone, "web"), parseBuildSettings(process.env));
}

interface Sbom {
  metadata: { component: { name: string } };
  components: { "bom-ref": string; properties: { name: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Returns the software bill of materials (CycloneDX) of the runtime packages, which stands beside each release. `--omit dev` of
 * npm 11.19 also omits packages that developers need too, for example React, so this function removes the others itself.
 */
function listPackages(): string {
  // A build has NODE_ENV=production, with which npm would omit the packages of developers.
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--include", "dev"];
  const all = JSON.parse(execFileSync("npm", args, { encoding: "utf8", maxBuffer: 2 ** 26 })) as Sbom;
  // npm takes the name of the folder.
  all.metadata.component.name = "boost50";
  const components = all.components.filter(
    ({ properties }) => !properties.some(({ name }) => name === "cdx:npm:package:development"),
  );
  const refs = new Set(components.map((component) => component["bom-ref"]));
  const [root, ...others] = all.dependencies;
  const dependencies = [root!, ...others.filter(({ ref }) => refs.has(ref))].map(({ ref, dependsOn }) => ({
    ref,
    dependsOn: dependsOn.filter((each) => refs.has(each)),
  }));
  return JSON.stringify({ ...all, components, dependencies }, null, 2);
}

/**
 * Returns the program of the standalone output: server.ts instead of the server of Next.js. Next.js reads its configuration from
 * a private variable, because the output has neither next.config.ts nor what Next.js needs to load it.
 */
function standaloneServer(config: object): string {
  return `process.env.NODE_ENV = "production";
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(${JSON.stringify(config)});
process.chdir(__dirname);
const { PORT, HOSTNAME } = process.env;
require("./${dist}/${httpServerFile}").serve({ dir: __dirname, hostname: HOSTNAME || "0.0.0.0", port: Number(PORT) || 3000 });
`;
}

void completeBuild().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
