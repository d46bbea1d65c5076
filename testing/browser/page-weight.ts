import type { Browser, Request } from "@playwright/test";
import { pages, previewPath, type Page } from "@/lib/http/pages";
import { Visitor } from "../visitor";
import { addCookies, openPage } from "./open-page";

/** Compressed bytes that the first visit of a page transfers before an interaction. */
export interface PageWeight {
  requests: number;
  /** All responses with their headers. */
  total: number;
  /** Without headers, like the numbers below. */
  document: number;
  style: number;
  font: number;
  /** Bytes by path. */
  scripts: Map<string, number>;
}

/** Opens a URL in a new browser context with the cookies of `visitor`. */
export async function weigh(browser: Browser, url: string, visitor?: Visitor): Promise<PageWeight> {
  const { context, page } = await openPage(browser, undefined, { ignoreHTTPSErrors: true });
  try {
    if (visitor) await addCookies(context, url, visitor);
    const finished: Request[] = [];
    page.on("requestfinished", (request) => finished.push(request));
    const response = await page.goto(url, { waitUntil: "networkidle" });
    if (response?.request().redirectedFrom()) throw new Error(`${url} redirects to ${page.url()}.`);
    const scripts = new Map<string, number>();
    const weight = { requests: finished.length, total: 0, document: 0, style: 0, font: 0, scripts };
    for (const request of finished) {
      const { responseBodySize: body, responseHeadersSize: headers } = await request.sizes();
      weight.total += body + headers;
      const type = request.resourceType();
      if (type === "document") weight.document += body;
      if (type === "stylesheet") weight.style += body;
      if (type === "font") weight.font += body;
      if (type === "script") scripts.set(new URL(request.url()).pathname, body);
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
    // Cookies mark the visited pages.
    if (page.guard !== "open") await visitor.visit(path);
    weights.set(page, await weigh(browser, url + path, page.guard === "open" ? undefined : visitor));
  }
  return weights;
}

export function sum(sizes: Iterable<number>): number {
  return [...sizes].reduce((total, size) => total + size, 0);
}
