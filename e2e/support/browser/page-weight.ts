import type { Browser, Request } from "@playwright/test";
import { pages, previewPath, type Page } from "@/lib/http/pages";
import { Visitor } from "../visitor";
import { addCookies, openPage } from "./open-page";

/** What a first visit of a page transfers before anything is touched. Sizes in bytes, as compressed on their way. */
export interface PageWeight {
  requests: number;
  /** Everything, headers of answers included. */
  total: number;
  /** The page itself, without headers, as all that follow. */
  document: number;
  style: number;
  font: number;
  /** Scripts by their path on the server. */
  scripts: Map<string, number>;
}

/** Opens an address in a new browser profile, with the cookies of `visitor`. */
export async function weigh(browser: Browser, url: string, visitor?: Visitor): Promise<PageWeight> {
  // A web server of the tests is certified by its own authority alone.
  const { context, page } = await openPage(browser, undefined, { ignoreHTTPSErrors: true });
  try {
    if (visitor) await addCookies(context, url, visitor);
    const answered: Request[] = [];
    page.on("requestfinished", (request) => answered.push(request));
    const answer = await page.goto(url, { waitUntil: "networkidle" });
    if (answer?.request().redirectedFrom()) throw new Error(`${url} sent the visitor to ${page.url()}.`);
    const weight = {
      requests: 0,
      total: 0,
      document: 0,
      style: 0,
      font: 0,
      scripts: new Map<string, number>(),
    };
    for (const request of answered) {
      const { responseBodySize: body, responseHeadersSize: headers } = await request.sizes();
      weight.requests += 1;
      weight.total += body + headers;
      const type = request.resourceType();
      if (type === "document") weight.document += body;
      if (type === "stylesheet") weight.style += body;
      if (type === "font") weight.font += body;
      if (type === "script") weight.scripts.set(new URL(request.url()).pathname, body);
    }
    return weight;
  } finally {
    await context.close();
  }
}

/** Weighs every page of the site at `url`. Opens the pages of the flow as a visitor who requests likes. */
export async function weighPages(browser: Browser, url: string): Promise<Map<Page, PageWeight>> {
  const code = "Cxyz123abc_";
  const visitor = new Visitor(url);
  await visitor.startFlow(code);
  const weights = new Map<Page, PageWeight>();
  for (const page of Object.values<Page>(pages)) {
    if (page.guard === "internal") continue;
    if (page === pages.success) await visitor.like(code);
    const path = page === pages.preview ? previewPath(code) : page.path;
    // So that the flow knows that the visitor was there.
    if (page.guard !== "open") await visitor.visit(path);
    weights.set(page, await weigh(browser, url + path, page.guard === "open" ? undefined : visitor));
  }
  return weights;
}

export function sum(sizes: Iterable<number>): number {
  return [...sizes].reduce((total, size) => total + size, 0);
}
