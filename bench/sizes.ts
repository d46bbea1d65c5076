import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { launchBrowser } from "@/testing/browser/browser";
import { sum, weigh, weighPages } from "@/testing/browser/page-weight";

/** Measures the transferred bytes of a first visit in a browser: the blank app's page, and every page of the product. */
export async function measurePages(url: string, blankUrl: string): Promise<object[]> {
  const browser = await launchBrowser();
  try {
    const blank = await weigh(browser, blankUrl);
    const pages = [...(await weighPages(browser, url))].map(([{ path }, weight]) => ({ path, ...weight }));
    return [{ path: "a blank page", ...blank }, ...pages].map((row) => ({
      ...row,
      scriptOverBlank: row.script - blank.script,
    }));
  } finally {
    await browser.close();
  }
}

/** Measures the deployed standalone output, in MiB on the disk. */
export function measureStandalone(folder: string): object {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const sizes = files.map(({ parentPath, name }) => lstatSync(join(parentPath, name)).size);
  return { name: "standalone output", size: mebibytes(sizes), files: files.length };
}

/**
 * Measures the files that each route needs at run time according to Next's traces, in MiB. A serverless host bundles
 * several routes into one function; this list contains each route separately.
 */
export function measureFunctions(root: string): object[] {
  const app = join(root, ".next", "server", "app");
  return readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js.nft.json"))
    .map((path) => {
      const trace = join(app, path);
      const { files } = JSON.parse(readFileSync(trace, "utf8")) as { files: string[] };
      const own = trace.replace(/\.nft\.json$/, "");
      const needed = [own, ...files.map((file) => join(dirname(trace), file))];
      return {
        name: `/${relative(app, own).replace(/\/?(?:page|route)\.js$/, "")}`,
        size: mebibytes(needed.map((file) => statSync(file).size)),
        files: needed.length,
      };
    })
    .sort((a, b) => b.size - a.size);
}

function mebibytes(sizes: number[]): number {
  return sum(sizes) / 2 ** 20;
}
