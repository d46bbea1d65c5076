import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pages, type Page } from "@/lib/http/pages";
import { sum, weighPages } from "../support/browser/page-weight";
import { freePort } from "../support/ports";
import { buildsFolder } from "../support/servers/builds";
import { behindWebServer, startCaddy } from "../support/servers/web-server";
import { expect, test, useServers } from "../support/test";

/** Compressed bytes that the first visit of a page may transfer before an interaction. A higher number needs a reason. */
interface Budget {
  script: number;
  document: number;
  requests: number;
}

const budgets = new Map<Page, Budget>([
  [pages.home, { script: 94_300, document: 7_700, requests: 10 }],
  // Steps 2 to 4 and the preview need 1.1 kB for the calendar entry, 0.5 kB for the dots and 0.4 kB for local times.
  // Step 2 loads the fingerprint for the status. Visitors from the home page have it in the cache.
  [pages.verification, { script: 118_900, document: 3_950, requests: 13 }],
  [pages.privateAccountError, { script: 2_700, document: 4_700, requests: 6 }],
  [pages.getLikes, { script: 103_700, document: 3_950, requests: 12 }],
  // The HTML contains the frame of the receipt, so that the dots are visible before the scripts run.
  [pages.success, { script: 103_700, document: 4_500, requests: 10 }],
  [pages.preview, { script: 103_700, document: 3_950, requests: 11 }],
  [pages.howItWorks, { script: 2_700, document: 4_900, requests: 6 }],
  [pages.testimonials, { script: 2_700, document: 5_700, requests: 6 }],
  [pages.faq, { script: 2_700, document: 7_400, requests: 6 }],
  [pages.support, { script: 2_700, document: 6_000, requests: 6 }],
  // The forms include the confirmation, because a new release could remove a separate file of it.
  [pages.contact, { script: 106_500, document: 4_700, requests: 10 }],
  [pages.feedback, { script: 106_500, document: 4_700, requests: 10 }],
  [pages.reportIssue, { script: 106_500, document: 6_250, requests: 10 }],
  [pages.terms, { script: 2_700, document: 6_600, requests: 6 }],
  [pages.privacy, { script: 2_700, document: 8_200, requests: 6 }],
  [pages.disclaimer, { script: 2_700, document: 5_900, requests: 6 }],
]);
/** One style sheet and two fonts for all pages. 0.1 kB of the style sheet say that the scripts of a page have failed. */
const shared = { style: 10_250, font: 26_500 };
const firstVisitOfHome = 147_000;
/** All bytes of a first visit behind the web server of deploy/, headers included. */
const asDeployed = { content: 48_000, app: 137_000 };
const asDeployedByPage = new Map<Page, number>([
  [pages.home, 126_000],
  // With the fingerprint.
  [pages.verification, 151_000],
  [pages.success, 130_000],
]);

const root = join(__dirname, "..", "..");
const servers = useServers({}, async (servers) => {
  const port = await freePort();
  const [app, deployed] = await Promise.all([
    servers.start(),
    servers.start({ build: "deployed", env: behindWebServer(port) }),
  ]);
  const release = join(root, buildsFolder, "deployed");
  return { app, site: await servers.keep(startCaddy({ release, upstream: deployed.port, port })) };
});

test("no page exceeds its budget of bytes and requests", async ({ browser }) => {
  const weights = await weighPages(browser, servers.app.url);
  expect(new Set(weights.keys())).toEqual(new Set(budgets.keys()));
  const over: string[] = [];
  for (const [page, weight] of weights) {
    const { script, document, requests } = budgets.get(page)!;
    for (const [unit, value, allowed] of [
      ["bytes of JavaScript", sum(weight.scripts.values()), script],
      ["bytes of CSS", weight.style, shared.style],
      ["bytes of fonts", weight.font, shared.font],
      ["bytes of HTML", weight.document, document],
      ["requests", weight.requests, requests],
      ["bytes", weight.total, page === pages.home ? firstVisitOfHome : Infinity],
    ] as const)
      if (value > allowed) over.push(`${page.path}: ${value} ${unit}, ${allowed} allowed`);
  }
  expect(over).toEqual([]);
});

test("behind the web server of deploy/, no page exceeds its budget of bytes", async ({ browser }) => {
  const weights = await weighPages(browser, servers.site.url);
  expect(new Set(weights.keys())).toEqual(new Set(budgets.keys()));
  const over: string[] = [];
  for (const [page, { total, scripts, style, font }] of weights) {
    const allowed = asDeployedByPage.get(page) ?? asDeployed[page.kind];
    if (total > allowed) over.push(`${page.path}: ${total} bytes, ${allowed} allowed`);
    // A failed download has no bytes.
    const isComplete = style > 7_000 && font > 25_000 && scripts.size > 0;
    expect([page.path, isComplete]).toEqual([page.path, true]);
  }
  expect(over).toEqual([]);
});

test("publishes no files of Next.js that no page loads", () => {
  const folder = join(root, buildsFolder, "deployed", "web", "assets", "_next");
  const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !/\.(?:br|gz)$/.test(name))
    .map((name) => statSync(join(folder, name)))
    .map((entry) => (entry.isFile() ? entry.size : 0));
  expect(sum(sizes)).toBeGreaterThan(80_000);
  expect(sum(sizes)).toBeLessThan(120_000);
});
