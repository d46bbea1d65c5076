import { indexablePages, pages } from "./lib/http/routes";

/** The configuration as the framework reads it for one of its commands. */
async function readFor(command: string) {
  const { argv } = process;
  process.argv = [process.execPath, "next", command];
  jest.resetModules();
  try {
    return (await import("./next.config")).default;
  } finally {
    process.argv = argv;
  }
}

it("gives a start what a running server reads, and nothing that has to be loaded and compiled for a build", async () => {
  const [build, start] = [await readFor("build"), await readFor("start")];
  const { env, headers, rewrites, ...others } = build;
  expect([env, headers, rewrites]).not.toContain(undefined);
  expect(start).toEqual(others);
});

it("holds a request against few rules for headers, each page against one with its cache rule", async () => {
  const rules = (await (await readFor("build")).headers?.()) ?? [];
  expect(rules.length).toBeLessThan(7);
  for (const { path } of indexablePages.filter((page) => page !== pages.home)) {
    const patterns = rules.filter(({ source }) => source.split(/[(|)]/).includes(path.slice(1)));
    expect(patterns.map(({ headers }) => headers.map(({ key }) => key))).toEqual([["Cache-Control"]]);
  }
});
