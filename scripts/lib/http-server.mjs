import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./processes.mjs";

/** The bundle of server.ts in a build's folder. Its arguments are "start" or "dev", and a port. */
export const httpServerFile = "http-server.cjs";

/** Bundles server.ts into the folder of a build. `next` stays outside of the bundle. */
export async function bundleHttpServer(folder) {
  // `npm start` also imports this file, and works without development packages.
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: ["server.ts"],
    outfile: join(folder, httpServerFile),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    // `import "server-only"` is an empty module under this condition.
    conditions: ["react-server"],
    external: ["next"],
    logLevel: "warning",
  });
}

/**
 * Changes the generated server.js of a standalone output: it starts server.ts instead of the server of Next.js. Keeps the
 * line that sets the configuration of Next.js. Throws if the generated file has an unknown form.
 */
export function replaceStandaloneServer(standalone, dist) {
  const file = join(standalone, "server.js");
  const generated = readFileSync(file, "utf8");
  const [head, tail] = generated.split("require('next')\n");
  if (!/^process\.env\.__NEXT_PRIVATE_STANDALONE_CONFIG = /m.test(head) || !tail?.includes("startServer({")) {
    throw new Error(`${file} has an unknown form: compare it with scripts/lib/http-server.mjs`);
  }
  writeFileSync(
    file,
    `${head}require('./${dist}/${httpServerFile}').serve({ dir, hostname, port: currentPort })\n`,
  );
}
