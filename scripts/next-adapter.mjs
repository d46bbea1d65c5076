/*
 * The adapter of Next.js (next.config.ts names it): edits the prerendered pages, writes ads.txt, and stores what
 * scripts/complete-build.ts needs. A serverless host can name an adapter of its own in NEXT_ADAPTER_PATH. Ours calls it last.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { require } from "tsx/cjs/api";

const { postProcessPages } = require("./lib/post-process-pages.ts", import.meta.url);
const hostPath = process.env.NEXT_ADAPTER_PATH;
const imported = hostPath ? await import(pathToFileURL(hostPath)) : {};
const host = imported.default?.default ?? imported.default ?? {};

/** @type {import("next").NextAdapter} */
const adapter = {
  name: host.name ?? "boost50",
  modifyConfig: async (config, context) => (await host.modifyConfig?.(config, context)) ?? config,
  async onBuildComplete(context) {
    const { config, distDir, outputs } = context;
    postProcessPages(distDir);
    const files = [...outputs.prerenders, ...outputs.staticFiles].map(({ pathname, filePath, fallback }) => ({
      pathname,
      file: filePath ?? fallback?.filePath,
      headers: fallback?.initialHeaders ?? {},
    }));
    writeFileSync(join(distDir, "adapter-output.json"), JSON.stringify({ config, files }));
    await host.onBuildComplete?.(context);
  },
};

export default adapter;
