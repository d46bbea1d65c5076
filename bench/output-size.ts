import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export interface OutputSize {
  name: string;
  /** MiB on the disk, not compressed. */
  size: number;
  files: number;
}

const mebi = 1_024 * 1_024;

/** The whole of a standalone output, as it is deployed. */
export function measureStandalone(folder: string): OutputSize {
  let size = 0;
  let files = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    size += lstatSync(join(entry.parentPath, entry.name)).size;
    files += 1;
  }
  return { name: "standalone output", size: size / mebi, files };
}

/**
 * Each function that a serverless host makes of a build: what the framework's traces say that a route needs at run time.
 * Hosts bundle several routes into one function; each is counted by itself here.
 */
export function measureFunctions(root: string): OutputSize[] {
  const server = join(root, ".next", "server");
  return readdirSync(join(server, "app"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js.nft.json"))
    .map((path) => {
      const trace = join(server, "app", path);
      const { files } = JSON.parse(readFileSync(trace, "utf8")) as { files: string[] };
      const own = trace.replace(/\.nft\.json$/, "");
      const needed = [own, ...files.map((file) => join(dirname(trace), file))];
      const size = needed.reduce((sum, file) => sum + statSync(file).size, 0);
      return {
        name: `/${relative(join(server, "app"), own).replace(/\/?(?:page|route)\.js$/, "")}`,
        size: size / mebi,
        files: needed.length,
      };
    })
    .sort((a, b) => b.size - a.size);
}
