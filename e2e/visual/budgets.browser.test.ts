import { expect, test, useServers } from "../support/test";
import { join } from "node:path";
import { pages, type Page } from "@/lib/http/pages";
import { buildsFolder } from "../support/servers/builds";
import { sum, weighPages } from "../support/browser/page-weight";
import { freePort } from "../support/ports";
import { type TestServers } from "../support/servers/test-servers";
import { behindWebServer, startCaddy } from "../support/servers/web-server";

/*
 * What a first visit of each page may transfer before anything is touched, in bytes as compressed on their way: the
 * figures of the day with a little room. Whoever needs more raises a line here, and says why.
 */
interface Budget {
  script: number;
  document: number;
  requests: number;
}

const budgets = new Map<Page, Budget>([
  [pages.home, { script: 93_000, document: 7_700, requests: 10 }],
  // The steps that may have to wait: 1.1 kB of a calendar entry, 0.5 of the fifty, 0.4 of local times.
  // With the fingerprint, which asking for the status takes: whoever comes from home has it in the cache.
  [pages.verification, { script: 118_500, document: 3_900, requests: 13 }],
  [pages.privateAccountError, { script: 2_500, document: 4_700, requests: 6 }],
  [pages.getLikes, { script: 102_500, document: 3_900, requests: 12 }],
  [pages.success, { script: 102_500, document: 4_100, requests: 10 }],
  [pages.preview, { script: 102_500, document: 3_900, requests: 11 }],
  [pages.howItWorks, { script: 2_500, document: 4_900, requests: 6 }],
  [pages.testimonials, { script: 2_500, document: 5_700, requests: 6 }],
  [pages.faq, { script: 2_500, document: 7_400, requests: 6 }],
  [pages.support, { script: 2_500, document: 5_600, requests: 6 }],
  // With what takes the form's place once it is sent: its file could be gone by then, say after a new release.
  [pages.contact, { script: 106_000, document: 4_700, requests: 10 }],
  [pages.feedback, { script: 106_000, document: 4_700, requests: 10 }],
  [pages.reportIssue, { script: 106_000, document: 6_200, requests: 10 }],
  [pages.terms, { script: 2_500, document: 6_600, requests: 6 }],
  [pages.privacy, { script: 2_500, document: 8_200, requests: 6 }],
  [pages.disclaimer, { script: 2_500, document: 5_900, requests: 6 }],
]);
/** One style sheet and two typefaces for all pages. */
const shared = { style: 10_100, font: 29_500 };
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
const servers = useServers({}, async (parts: TestServers) => {
  const port = await freePort();
  const [app, deployed] = await Promise.all([
    parts.start(),
    parts.start({ build: "deployed", env: behindWebServer(port) }),
  ]);
  const release = join(root, buildsFolder, "deployed");
  return { app, site: await parts.keep(startCaddy({ release, upstream: deployed.port, port })) };
});

test("every page keeps to its budget of bytes and requests", async ({ browser }) => {
  const over: string[] = [];
  const check = (page: Page, what: string, value: number, allowed = 0) => {
    if (value > allowed) over.push(`${page.path}: ${value} ${what}, ${allowed} allowed`);
  };
  const weights = await weighPages(browser, servers.app.url);
  expect(new Set(weights.keys())).toEqual(new Set(budgets.keys()));
  for (const [page, weight] of weights) {
    const budget = budgets.get(page);
    check(page, "bytes of JavaScript", sum(weight.scripts.values()), budget?.script);
    check(page, "bytes of CSS", weight.style, shared.style);
    check(page, "bytes of fonts", weight.font, shared.font);
    check(page, "bytes of HTML", weight.document, budget?.document);
    check(page, "requests", weight.requests, budget?.requests);
    if (page === pages.home) check(page, "bytes on the first visit", weight.total, firstVisitOfHome);
  }
  expect(over).toEqual([]);
});

test("behind the web server of deploy/ a first visit is lighter still", async ({ browser }) => {
  const over: string[] = [];
  const weights = await weighPages(browser, servers.site.url);
  expect(new Set(weights.keys())).toEqual(new Set(budgets.keys()));
  for (const [page, { total, scripts, style, font }] of weights) {
    const allowed = asDeployedByPage.get(page) ?? asDeployed[page.kind];
    if (total > allowed) over.push(`${page.path}: ${total} bytes, ${allowed} allowed`);
    // What does not arrive weighs nothing.
    const hasArrived = style > 7_000 && font > 28_000 && scripts.size > 0;
    expect([page.path, hasArrived]).toEqual([page.path, true]);
  }
  expect(over).toEqual([]);
});
