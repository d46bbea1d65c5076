import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "vite";
import { root } from "./lib/processes.mjs";

/*
 * Bundles the scripts of the pages into public/site: the site script, the consent script, and the scripts of the
 * islands (components/islands). File names contain a content hash. scripts.json contains the URL paths, which
 * next.config.ts reads. Copies altcha's web worker to public/altcha, because the content security policy allows only
 * workers of our origin. Writes the licences of the bundled packages and of the fonts to public/licenses.txt. Runs before each
 * build, and before each start of the development server.
 */

const altchaFolder = join(root, "public", "altcha");
const folder = join(root, "public", "site");
// The menus of the header need browsers that support the popover attribute.
const target = ["chrome114", "firefox125", "safari17"];
const islandsFolder = join(root, "components", "islands");

/** Puts style sheets into the scripts that import them. After an error, Vite would not load a style sheet again. */
const stylesInScripts = {
  name: "styles-in-scripts",
  enforce: "pre",
  async resolveId(source, importer, options) {
    if (source.endsWith(".css")) return `\0${(await this.resolve(source, importer, options)).id}.js`;
  },
  load(id) {
    if (id.endsWith(".css.js"))
      return `import css from ${JSON.stringify(`${id.slice(1, -3)}?inline`)};
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets.push(sheet);`;
  },
};

/** Repeats failed dynamic imports with another URL, because Firefox and WebKit do not request a failed URL again. */
const importsWithRetry = {
  name: "imports-with-retry",
  renderChunk: (code) => ({
    code: `let retries = 0;
      const importAgain = (path) =>
        import(path)
          .catch(() => import(path + "?retry=" + retries))
          .catch((error) => { retries += 1; throw error; });
      ${code.replaceAll(/\bimport\((["'`]\.\/[^"'`]+["'`])\)/g, "importAgain($1)")}`,
    map: null,
  }),
};

/** Folders of the packages whose code browsers get. */
const packages = new Set([join(root, "node_modules", "altcha")]);

mkdirSync(folder, { recursive: true });
const site = await bundleSiteScripts();
const modules = await bundleIslands();
writeFileSync(join(folder, "scripts.json"), JSON.stringify({ ...site, islands: modules.paths }));
// Deletes old files last, because a running development server may still send the files that did not change.
const current = new Set([
  "scripts.json",
  ...Object.values(site).map((path) => basename(path)),
  ...modules.files,
]);
for (const file of readdirSync(folder)) if (!current.has(file)) rmSync(join(folder, file));

mkdirSync(altchaFolder, { recursive: true });
const worker = new URL(import.meta.resolve("altcha/workers/pbkdf2"));
copyFileSync(worker, join(altchaFolder, "pbkdf2.worker.js"));
writeFileSync(join(root, "public", "licenses.txt"), collectLicences());

/** Bundles one classic script per entry. Returns the URL paths by name, for example "site.js". */
async function bundleSiteScripts() {
  const paths = {};
  for (const name of ["site", "consent"]) {
    const input = join(root, "components", "site", "script", `${name}.ts`);
    const [{ fileName }] = await bundle({ input, output: { format: "iife" } }, [stylesInScripts]);
    paths[`${name}.js`] = `/site/${fileName}`;
  }
  return paths;
}

/** Bundles one module per entry, and one module with the code that several entries use. */
async function bundleIslands() {
  const options = {
    // One entry, hydrate-island.tsx, is in the shared file. Otherwise, the bundler's runtime is a file of its own.
    input: readdirSync(islandsFolder)
      .filter((name) => !name.includes(".test."))
      .map((name) => join(islandsFolder, name)),
    output: {
      // Without this group, a page requests 13 files (docs/performance.md).
      codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] },
    },
    transform: {
      inject: { setImmediate: [join(root, "lib/client/browser/set-immediate.ts"), "setImmediate"] },
    },
    // "use client" is for Next.js only.
    onLog: (level, log, handle) => log.code === "MODULE_LEVEL_DIRECTIVE" || handle(level, log),
  };
  const output = await bundle(options, [stylesInScripts, importsWithRetry]);
  const chunks = new Map(output.map((file) => [file.fileName, file]));
  // The entries import only the shared file.
  const paths = Object.fromEntries(
    output
      .filter(({ isEntry }) => isEntry)
      .map(({ name, fileName, imports }) => [name, [fileName, ...imports].map((file) => `/site/${file}`)]),
  );
  for (const file of new Set(Object.values(paths).flat())) {
    // With this comment, Chromium compiles the functions while the file arrives. Other browsers ignore it.
    const code = `//# allFunctionsCalledOnLoad\n${chunks.get(basename(file)).code}`;
    writeFileSync(join(folder, basename(file)), code);
  }
  return { files: [...chunks.keys()], paths };
}

async function bundle(rolldownOptions, plugins) {
  const { output } = await build({
    root,
    configFile: false,
    publicDir: false,
    base: "/site/",
    logLevel: "warn",
    resolve: { alias: { "@": root } },
    // The style sheets of packages need no Tailwind CSS.
    css: { postcss: { plugins: [] } },
    plugins,
    build: {
      outDir: folder,
      emptyOutDir: false,
      assetsDir: "",
      target,
      modulePreload: false,
      rolldownOptions,
    },
  });
  for (const id of output.flatMap(({ moduleIds = [] }) => moduleIds)) {
    const [place] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace("\0", "")) ?? [];
    if (place) packages.add(place);
  }
  return output;
}

/** Returns the licences of the packages and of the fonts, which browsers get too. */
function collectLicences() {
  const read = (place) => {
    const { name, version, license } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    const file = readdirSync(place).find((each) => /^licen[cs]e/i.test(each));
    return [`${name} ${version} (${license})`, file ? readFileSync(join(place, file), "utf8") : ""];
  };
  const fontsFolder = join(root, "app", "fonts");
  const fonts = readdirSync(fontsFolder).filter((name) => name.startsWith("LICENSE-"));
  const texts = [
    ...[...packages].map(read).sort(),
    ...fonts.map((name) => [basename(name, ".txt"), readFileSync(join(fontsFolder, name), "utf8")]),
  ];
  return texts.map(([title, text]) => `${title}\n\n${text.trim()}\n`).join(`\n${"-".repeat(72)}\n\n`);
}
