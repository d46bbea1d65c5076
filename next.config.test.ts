import { indexablePages, pages } from "./lib/http/pages";

/** Loads the configuration as `next build` or `next start` does. */
async function loadConfig(command: string) {
  const { argv } = process;
  process.argv = [process.execPath, "next", command];
  jest.resetModules();
  try {
    return (await import("./next.config")).default;
  } finally {
    process.argv = argv;
  }
}

it("omits settings that `npm start` does not need, and keeps all other settings", async () => {
  const [build, start] = [await loadConfig("build"), await loadConfig("start")];
  const { adapterPath, generateBuildId, env, headers, rewrites, ...others } = build;
  expect([adapterPath, generateBuildId, env, headers, rewrites]).not.toContain(undefined);
  expect(start).toEqual(others);
});

it("uses this folder as the root, also below a folder with a lock file", async () => {
  const { outputFileTracingRoot, turbopack } = await loadConfig("build");
  expect([outputFileTracingRoot, turbopack?.root]).toEqual([__dirname, __dirname]);
});

it("uses few header patterns, with one pattern per page", async () => {
  const rules = (await (await loadConfig("build")).headers?.()) ?? [];
  expect(rules.length).toBeLessThan(7);
  for (const { path } of indexablePages.filter((page) => page !== pages.home)) {
    const patterns = rules.filter(({ source }) => source.split(/[(|)]/).includes(path.slice(1)));
    expect(patterns.map(({ headers }) => headers.map(({ key }) => key))).toEqual([
      ["Cache-Control", "Speculation-Rules"],
    ]);
  }
});
