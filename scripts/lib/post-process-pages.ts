import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseBuildSettings, type BuildSettings } from "../../lib/config/build-settings";
import { pagePolicy } from "../../lib/http/content-security-policy";
import { pages, type Page } from "../../lib/http/pages";

/*
 * React has written the HTML of the pages: attributes are quoted, and `>` in attributes and `</script` in data are escaped. So
 * regular expressions can read it.
 */
const scripts = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
const ownScript = / src="\/site\/| type="application\/(?:ld\+)?json"/;
const scriptPreloads = /<link\b(?=[^>]* rel="preload")(?=[^>]* as="script")[^>]*>/g;
/** Next.js adds this for fonts without a preload. Our fonts use the connection of the page. */
const ownPreconnect = /<link rel="preconnect" href="\/" crossorigin=""\/>/g;
const policyTag = /<meta http-equiv="Content-Security-Policy"[^>]*>/g;
const charset = /<meta charSet="utf-8"\/>/i;
/** Matches the end of a page: only comments and scripts follow the footer, the last element of SitePage (app/site-page.tsx). */
const endOfPage = /<\/footer>(?:<!--[^>]*-->|<script [^>]*><\/script>)*<\/body>/;
/** The name of a page in lib/http/pages.ts, or "notFound". Next's own error pages have none. */
const pageName = /<main [^>]*data-page="(\w+)"/;
/** The name of an island (app/island.tsx). */
const islandName = /<div data-island="([^"]+)"/g;

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
    return { file, html, name: pageName.exec(html)?.[1] };
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

/** Returns the edited page. Throws if lib/http/pages.ts lists a page without islands as "app", or the other way round. */
function postProcess(html: string, name: string, build: BuildSettings): string {
  const page: Page | undefined = name === "notFound" ? undefined : pages[name as keyof typeof pages];
  const kind = page?.kind ?? "content";
  const islands = Array.from(html.matchAll(islandName), ([, name = ""]) => name);
  if ((kind === "app") !== islands.length > 0)
    throw new Error(`lib/http/pages.ts lists it as "${kind}", but it has ${islands.length} islands`);
  const repeated = islands.find((name, index) => islands.indexOf(name) !== index);
  if (repeated) throw new Error(`it has two islands with the name ${repeated}, but only one is hydrated`);
  return pinPolicy(removeNextScripts(html), pagePolicy(build, page?.path ?? "404"));
}

/**
 * Removes all scripts except those of the site and structured data, and the preloads of scripts. Throws if content follows the
 * footer: React streams it to there, and a script that the page does not load would move it to its place.
 */
export function removeNextScripts(html: string): string {
  const edited = html
    .replace(scripts, (tag, attributes: string) => (ownScript.test(attributes) ? tag : ""))
    .replace(scriptPreloads, "")
    .replace(ownPreconnect, "");
  if (!endOfPage.test(edited)) throw new Error("it has content after the footer, which React has streamed");
  return edited;
}

/** Adds a policy before all elements that load something. Replaces an earlier policy. */
export function pinPolicy(html: string, policy: string): string {
  const bare = html.replace(policyTag, "");
  if (!charset.test(bare)) throw new Error("it has no <meta charset>, after which its policy is added");
  // A function, because `replace` would interpret "$" in a string.
  return bare.replace(
    charset,
    (tag) => `${tag}<meta http-equiv="Content-Security-Policy" content="${policy}"/>`,
  );
}

/** Writes or deletes ads.txt, which names the ad network (https://iabtechlab.com/ads-txt/). */
function writeAdsTxt({ ADS_CLIENT }: BuildSettings): void {
  const file = join("public", "ads.txt");
  // The last field is Google's ID: https://support.google.com/adsense/answer/12171612
  const line = `google.com, ${ADS_CLIENT?.replace("ca-", "")}, DIRECT, f08c47fec0942fa0\n`;
  if (ADS_CLIENT) writeFileSync(file, line);
  else rmSync(file, { force: true });
}
