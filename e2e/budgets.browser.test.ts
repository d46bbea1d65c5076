import { readFileSync } from "node:fs";
import { join } from "node:path";
import { indexablePages, pages, type Page } from "@/lib/http/pages";
import { buildsFolder } from "./support/builds";
import { sum, weighOpenPages, weighPages, type PageWeight } from "./support/page-weight";
import { freePort } from "./support/ports";
import { useRig, type Rig } from "./support/rig";
import { startCaddy } from "./support/web-server";

/*
 * What a first visit of each page may transfer before anything is touched, in bytes as compressed on their way: the
 * figures of the day with a little room. Whoever needs more raises a line here, and says why.
 *
 * Built pages load nothing of the framework, and every script counts. On pages that are rendered for each request, which it
 * runs, they count without its main files, which the build names.
 */
interface Budget {
  script: number;
  document: number;
  requests: number;
}

const budgets = new Map<Page, Budget>([
  [pages.home, { script: 91_500, document: 7_700, requests: 10 }],
  // The steps that may have to wait: 1.1 kB of a calendar entry, 0.5 of the fifty, 0.4 of local times.
  // With the fingerprint, which asking for the status takes: whoever comes from home has it in the cache.
  [pages.verification, { script: 118_500, document: 3_900, requests: 13 }],
  // Rendered for each answer: its HTML is compressed in the pieces in which it comes, which differ by up to 1 kB.
  [pages.privateAccountError, { script: 14_100, document: 10_500, requests: 15 }],
  [pages.getLikes, { script: 102_500, document: 3_900, requests: 12 }],
  [pages.success, { script: 23_000, document: 10_500, requests: 16 }],
  [pages.preview, { script: 102_500, document: 3_900, requests: 10 }],
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
const asDeployed = { home: 126_000, content: 48_000, form: 137_000 };

const renderedPerRequest = new Set<Page>([pages.privateAccountError, pages.success]);

const root = join(__dirname, "..");
const rig = useRig({ browser: true }, async (parts: Rig) => {
  const [app, deployed] = await Promise.all([parts.start(), parts.start({ build: "deployed" })]);
  const release = join(root, buildsFolder, "deployed");
  const port = await freePort();
  return { app, site: await parts.keep(startCaddy({ release, upstream: deployed.port, port })) };
});

/** The framework's main files, as paths on the server. */
function mainFiles(): Set<string> {
  const manifest = readFileSync(join(root, ".next", "build-manifest.json"), "utf8");
  const { rootMainFiles } = JSON.parse(manifest) as { rootMainFiles: string[] };
  return new Set(rootMainFiles.map((file) => `/_next/${file}`));
}

it("every page keeps to its budget of bytes and requests", async () => {
  const main = mainFiles();
  const over: string[] = [];
  const check = (page: Page, what: string, value: number, allowed = 0) => {
    if (value > allowed) over.push(`${page.path}: ${value} ${what}, ${allowed} allowed`);
  };
  const weights = await weighPages(rig.browser, rig.app);
  expect(new Set(weights.keys())).toEqual(new Set(budgets.keys()));
  for (const [page, weight] of weights) {
    const budget = budgets.get(page);
    const { own, framework } = split(weight, main);
    // A floor that is not there would make these pages look heavy, or a wrong one light.
    expect([page.path, framework.length]).toEqual([page.path, renderedPerRequest.has(page) ? main.size : 0]);
    check(page, "bytes of JavaScript", sum(own), budget?.script);
    check(page, "bytes of CSS", weight.style, shared.style);
    check(page, "bytes of fonts", weight.font, shared.font);
    check(page, "bytes of HTML", weight.document, budget?.document);
    check(page, "requests", weight.requests, budget?.requests);
    if (page === pages.home) check(page, "bytes on the first visit", weight.total, firstVisitOfHome);
  }
  expect(over).toEqual([]);
});

it("behind the web server of deploy/ a first visit is lighter still", async () => {
  const over: string[] = [];
  const weights = await weighOpenPages(rig.browser, rig.site.url);
  expect([...weights.keys()]).toEqual(indexablePages);
  for (const [page, { total, scripts, style, font }] of weights) {
    const { home, content, form } = asDeployed;
    const allowed = page === pages.home ? home : page.kind === "content" ? content : form;
    if (total > allowed) over.push(`${page.path}: ${total} bytes, ${allowed} allowed`);
    // What does not arrive weighs nothing.
    const hasArrived = style > 7_000 && font > 28_000 && scripts.size > 0;
    expect([page.path, hasArrived]).toEqual([page.path, true]);
  }
  expect(over).toEqual([]);
});

function split({ scripts }: PageWeight, main: Set<string>): { own: number[]; framework: number[] } {
  const framework = [...scripts].filter(([path]) => main.has(path)).map(([, size]) => size);
  const own = [...scripts].filter(([path]) => !main.has(path)).map(([, size]) => size);
  return { own, framework };
}
