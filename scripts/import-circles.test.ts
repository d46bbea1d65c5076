import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

const root = join(__dirname, "..");
const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const sources = new Set(fileNames.filter((file) => /^(?:app|components|lib)\//.test(relative(root, file))));
const cache = ts.createModuleResolutionCache(root, (name) => name, options);

/** The modules that a file names, for their types alone included. */
function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.flatMap(({ fileName }) => {
    const { resolvedModule } = ts.resolveModuleName(fileName, file, options, ts.sys, cache);
    return resolvedModule && sources.has(resolvedModule.resolvedFileName)
      ? [resolvedModule.resolvedFileName]
      : [];
  });
}

it("no module of app, components and lib imports itself, whatever the way round", () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: string[]) => {
    const start = way.indexOf(file);
    if (start >= 0) circles.push([...way.slice(start), file].map(shortName).join(" → "));
    else if (!done.has(file)) {
      for (const imported of importsOf(file)) visit(imported, [...way, file]);
      done.add(file);
    }
  };
  for (const file of sources) visit(file, []);
  expect(done.size).toBeGreaterThan(200);
  expect(circles).toEqual([]);
});

const shortName = (file: string) => relative(root, file);
