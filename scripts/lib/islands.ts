import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { build, type BuildOptions, type Loader, type Metafile, type Plugin } from "esbuild";
import { hintCompilation } from "./finish-page";

/*
 * The scripts of islands (components/islands), which take the framework's place on built pages: React and what the islands
 * are made of, without the framework's router, which pages that are only loaded whole do not need.
 */

const folder = join("components", "islands");
const entries = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join(folder, name));
/** Beside the framework's files, in the folder that hosts and releases keep for as long as somebody may ask for it. */
const place = join("static", "islands");

/** By an entry's name, the addresses of the scripts that its pages load: its own, then all that it imports. */
export type IslandScripts = Map<string, string[]>;

/**
 * Bundles the entries of components/islands into a build's folder, with what they load later on demand. What a page starts
 * with is marked for compiling while it arrives.
 *
 * @param dist the build's folder, which is served under /_next/
 */
export async function buildIslands(dist: string): Promise<IslandScripts> {
  const outdir = join(dist, place);
  const { metafile: graph } = await build({
    ...bundles,
    outdir,
    write: false,
    plugins: [styleSheets(outdir)],
  });
  const plugins = [sharedByAll(graph), styleSheets(outdir)];
  const { outputs } = (await build({ ...bundles, outdir, plugins })).metafile;
  const starts = Object.entries(outputs).flatMap(([file, { entryPoint = "" }]) =>
    entries.includes(entryPoint) ? [[basename(entryPoint, ".ts"), [...closure(outputs, file)]] as const] : [],
  );
  for (const file of new Set(starts.flatMap(([, files]) => files))) {
    writeFileSync(file, hintCompilation(readFileSync(file, "utf8")));
  }
  return new Map(starts.map(([name, files]) => [name, files.map(urlOf)]));
}

const files = {
  bundle: true,
  minify: true,
  // As the site's script (scripts/build-site-script.mjs).
  target: ["chrome114", "firefox125", "safari17"],
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  // See sharedByAll.
  logOverride: { "ignored-bare-import": "silent" },
} satisfies BuildOptions;

const bundles = {
  ...files,
  entryPoints: entries,
  entryNames: "[name]-[hash]",
  chunkNames: "part-[hash]",
  format: "esm",
  splitting: true,
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
} satisfies BuildOptions;

interface Imports {
  imports: { path: string; kind: string; external?: boolean }[];
}

/** A file, and all that it imports; not what it loads on demand. */
function closure(graph: Record<string, Imports>, file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const { path, kind, external } of graph[file]?.imports ?? []) {
    if (kind !== "dynamic-import" && !external) closure(graph, path, found);
  }
  return found;
}

function urlOf(file: string): string {
  return `/_next/static/islands/${basename(file)}`;
}

/**
 * Puts what several entries import into one file. The bundler makes a file for each set of starting points that share
 * something, what is loaded on demand among them, which came to 13 for a page, most of a few hundred bytes; on a slow
 * network the tool answered a quarter later (docs/performance.md). So each starting point imports all that is shared.
 *
 * @param graph what the entries are made of
 */
function sharedByAll(graph: Metafile): Plugin {
  const users = new Map<string, number>();
  for (const file of entries.flatMap((entry) => [...closure(graph.inputs, entry)])) {
    users.set(file, (users.get(file) ?? 0) + 1);
  }
  const shared = new Set([...users].filter(([, count]) => count > 1).map(([file]) => resolve(file)));
  const onDemand = Object.values(graph.inputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path),
  );
  const starts = new Set([...entries, ...onDemand].map((file) => resolve(file)));
  const all = Array.from(shared, (file) => `import ${JSON.stringify(file)};`).join("");
  return {
    name: "shared-by-all",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^shared$/ }, () => ({ path: "shared", namespace: "islands" }));
      onLoad({ filter: /^shared$/, namespace: "islands" }, () => ({ contents: all, resolveDir: "." }));
      onLoad({ filter: /\.tsx?$/, namespace: "file" }, ({ path }) =>
        starts.has(path)
          ? {
              contents: `import "shared";${readFileSync(path, "utf8")}`,
              loader: extname(path).slice(1) as Loader,
            }
          : undefined,
      );
      // An import for its own sake would be dropped, as package.json allows it. It still is for what was found on another way
      // first: small files of ours, which go with those that use them.
      onResolve({ filter: /./, namespace: "islands" }, ({ path }) => ({ path, sideEffects: true }));
    },
  };
}

/** The style sheets that a module imports come with it, as one: the module waits for them, as the framework has it. */
function styleSheets(outdir: string): Plugin {
  return {
    name: "style-sheets",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\.css$/ }, ({ kind, importer }) =>
        kind === "import-statement" ? { path: importer, namespace: "styles-of" } : undefined,
      );
      onLoad({ filter: /./, namespace: "styles-of" }, async ({ path }) => {
        const sheets = readFileSync(path, "utf8").matchAll(/^import ("[^"]+\.css");$/gm);
        const { metafile } = await build({
          ...files,
          stdin: {
            contents: Array.from(sheets, ([, sheet]) => `@import ${sheet};`).join(""),
            loader: "css",
            resolveDir: dirname(path),
          },
          entryNames: `${basename(path, extname(path))}-[hash]`,
          outdir,
          // Packages have their style sheets for whoever imports them.
          conditions: ["import"],
        });
        const [file = ""] = Object.keys(metafile.outputs);
        return {
          contents:
            'const link = document.createElement("link");' +
            `Object.assign(link, { rel: "stylesheet", href: ${JSON.stringify(urlOf(file))} });` +
            "document.head.append(link);" +
            "await new Promise((resolve) => { link.onload = link.onerror = resolve; });",
        };
      });
    },
  };
}
