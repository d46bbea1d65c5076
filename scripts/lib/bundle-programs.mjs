import { root } from "./processes.mjs";

/** The file of the bundled server.ts. */
export const httpServerFile = "http-server.cjs";

/** Bundles server.ts into a folder. `next` stays outside of the bundle. */
export function bundleHttpServer(folder) {
  return bundle({ "http-server": "server.ts" }, folder);
}

/** Bundles tools into a folder, so that they need no npm packages. The default is all tools, for the image "tools". */
export function bundleTools(folder, names = ["doctor", "ledger", "inbox", "not-found", "check-receiver"]) {
  return bundle(Object.fromEntries(names.map((name) => [name, `cli/${name}.ts`])), folder);
}

async function bundle(input, outDir) {
  // `npm start` also imports this file, and works without development packages.
  const { build } = await import("vite");
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    resolve: { alias: { "@": root } },
    // `import "server-only"` is an empty module under the condition "react-server".
    ssr: {
      noExternal: true,
      external: ["next"],
      resolve: { conditions: ["react-server", "node", "import"] },
    },
    build: {
      ssr: true,
      target: "node20",
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input,
        output: { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" },
      },
    },
  });
}
