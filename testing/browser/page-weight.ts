import type { Browser, Request } from "@playwright/test";
import { pages, previewPath, type Page } from "@/lib/http/pages";
import { postCode } from "../sample-posts";
import { Visitor } from "../visitor";
import { openPage } from "./open-page";

type PageWeight = Awaited<ReturnType<typeof weigh>>;

/**
 * Opens a URL with a visitor's cookies. Returns the compressed bytes that its first visit transfers before an interaction:
 * the total of all responses with headers, and the bodies of each kind.
 */
export async function weigh(browser: Browser, url: string, as?: Visitor) {
  const finished: Request[] = [];
  const { context, page } = await openPage(browser, url, {
    ...{ as, ignoreHTTPSErrors: true },
    prepare: (page) => void page.on("requestfinished", (request) => finished.push(request)),
  });
  // On a busy machine, the layout that requests the font can come after half a second without requests.
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  await page.waitForLoadState("networkidle");
  if (page.url() !== new URL(url).href) throw new Error(`${url} redirects to ${page.url()}.`);
  const weight = { requests: finished.length, total: 0, document: 0, stylesheet: 0, font: 0, script: 0 };
  for (const request of finished) {
    const { responseBodySize: body, responseHeadersSize: headers } = await request.sizes();
    weight.total += body + headers;
    const type = request.resourceType();
    if (type in weight) weight[type as "script"] += body;
  }
  await context.close();
  return weight;
}

/** Weighs every page of the site at `url`. Opens the pages of the flow as a visitor who requests likes. */
export async function weighPages(browser: Browser, url: string): Promise<Map<Page, PageWeight>> {
  const visitor = new Visitor(url);
  await visitor.startFlow();
  const weights = new Map<Page, PageWeight>();
  for (const page of Object.values<Page>(pages)) {
    if (page.guard === "internal") continue;
    if (page === pages.success) await visitor.like();
    const path = page === pages.preview ? previewPath(postCode) : page.path;
    // Cookies mark the visited pages.
    if (page.guard !== "open") await visitor.visit(path);
    weights.set(page, await weigh(browser, url + path, page.guard === "open" ? undefined : visitor));
  }
  return weights;
}

export function sum(sizes: Iterable<number>): number {
  return [...sizes].reduce((total, size) => total + size, 0);
}
