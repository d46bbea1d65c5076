import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/*
 * Bundles the site's own scripts, which pages load beside the framework's or instead of them, into public/site. Their
 * names hold a hash of their content; next.config.ts looks them up. Runs before each start and build.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "public", "site");

await mkdir(folder, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["components/site/script/site.ts", "components/site/script/consent.ts"],
  outdir: folder,
  entryNames: "[name]-[hash]",
  bundle: true,
  minify: true,
  format: "iife",
  // Browsers that know the popovers of the header.
  target: ["chrome114", "firefox125", "safari17"],
  metafile: true,
  logLevel: "warning",
});
const current = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
// Not emptied beforehand: a running development server may be serving the files that stay the same.
for (const file of await readdir(folder)) if (!current.has(file)) await rm(join(folder, file));
