import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pages, type Page } from "@/lib/http/pages";
import { sum, weighPages } from "@/testing/browser/page-weight";
import { freePort } from "@/scripts/lib/ports.mjs";
import { buildFolder } from "@/testing/servers/builds";
import { behindWebServer, startCaddy } from "@/testing/servers/web-server";
import { expect, test, useServers } from "@/testing/test";

/** Most bytes of a first visit behind the web server of deploy/, headers included, before an interaction. */
const budgets = { home: 115_000, flow: 132_000, form: 123_000, content: 33_000 };

function kindOf(page: Page): keyof typeof budgets {
  if (page.kind === "content") return "content";
  if (page === pages.home) return "home";
  return page.guard === "open" ? "form" : "flow";
}

const servers = useServers({}, async (servers) => {
  const port = await freePort();
  const deployed = await servers.start({ build: "deployed", env: behindWebServer(port) });
  const release = buildFolder("deployed");
  return { site: await servers.keep(startCaddy({ release, upstream: deployed.port, port })) };
});

test("no page exceeds the budget of its kind", async ({ browser }) => {
  const weights = await weighPages(browser, servers.site.url);
  expect(weights.size).toBeGreaterThan(15);
  const over: string[] = [];
  for (const [page, { total, script, stylesheet, font }] of weights) {
    const allowed = budgets[kindOf(page)];
    if (total > allowed) over.push(`${page.path}: ${total} bytes, ${allowed} allowed`);
    // A failed download has no bytes.
    const isComplete = stylesheet > 7_000 && font > 9_000 && script > 0;
    expect([page.path, isComplete]).toEqual([page.path, true]);
  }
  expect(over).toEqual([]);
});

test("publishes no files of Next.js that no page loads", () => {
  const folder = join(buildFolder("deployed"), "web", "assets", "_next");
  const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !/\.(?:br|gz)$/.test(name))
    .map((name) => statSync(join(folder, name)))
    .map((entry) => (entry.isFile() ? entry.size : 0));
  expect(sum(sizes)).toBeGreaterThan(55_000);
  expect(sum(sizes)).toBeLessThan(100_000);
});
