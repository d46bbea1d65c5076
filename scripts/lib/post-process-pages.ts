import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseBuildSettings, type BuildSettings } from "../../lib/config/build-settings";
import { pagePolicy } from "../../lib/http/content-security-policy";
import { pages, type Page } from "../../lib/http/pages";
import { islandsOf, pageNameOf, pinPolicy, removeNextScripts } from "./page-html";

const nextErrorPages = ["500.html", "_global-error.html"];

/**
 * Edits the prerendered pages of a build (docs/decisions/0011-built-pages.md): removes Next's scripts, because each navigation
 * loads a whole page, and adds a content security policy. Replaces Next's error pages, whose inline styles the policy blocks.
 * Writes ads.txt. Needs the settings of the build in the environment. Throws an error that lists the problems of all pages.
 */
export function postProcessPages(dist: string): void {
  const build = parseBuildSettings(process.env);
  const files = htmlFiles(dist).map((file) => {
    const html = readFileSync(file, "utf8");
    return { file, html, name: pageNameOf(html) };
  });
  const names = [...Object.keys(pages), "notFound"];
  const missing = names.filter((name) => !files.some((each) => each.name === name));
  const problems = missing.map((name) => `${name}: no built page has this name (app/site-page.tsx)`);
  const failure = files.find(({ name }) => name === "failure");
  for (const { file, ...built } of files) {
    const { html, name } = nextErrorPages.includes(basename(file)) && failure ? failure : built;
    try {
      if (!name) throw new Error("it has no name (app/site-page.tsx)");
      writeFileSync(file, postProcess(html, name, build));
    } catch (error) {
      problems.push(`${name ?? file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(`The pages cannot be post-processed:\n  ${problems.join("\n  ")}`);
  writeAdsTxt(build);
}

/** Returns the prerendered pages of a build. Next.js writes each as an .html file below its folder "server". */
export function htmlFiles(dist: string): string[] {
  return readdirSync(join(dist, "server"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(dist, "server", name));
}

function postProcess(html: string, name: string, build: BuildSettings): string {
  const page: Page | undefined = name === "notFound" ? undefined : pages[name as keyof typeof pages];
  checkIslands(page?.kind ?? "content", islandsOf(html));
  return pinPolicy(removeNextScripts(html), pagePolicy(build, page?.path ?? "404"));
}

/** Throws if the page has no islands but lib/http/pages.ts lists it as "app", and the other way round. */
function checkIslands(kind: Page["kind"], islands: readonly string[]): void {
  if ((kind === "app") !== islands.length > 0)
    throw new Error(`lib/http/pages.ts lists it as "${kind}", but it has ${islands.length} islands`);
  const repeated = islands.find((name, index) => islands.indexOf(name) !== index);
  if (repeated) throw new Error(`it has two islands with the name ${repeated}, but only one is hydrated`);
}

/** Writes or deletes ads.txt, which names the ad network (https://iabtechlab.com/ads-txt/). */
function writeAdsTxt({ ADS_CLIENT }: BuildSettings): void {
  const file = join("public", "ads.txt");
  // The last field is Google's ID: https://support.google.com/adsense/answer/12171612
  const line = `google.com, ${ADS_CLIENT?.replace("ca-", "")}, DIRECT, f08c47fec0942fa0\n`;
  if (ADS_CLIENT) writeFileSync(file, line);
  else rmSync(file, { force: true });
}
