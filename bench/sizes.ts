import type { AppServer } from "@/e2e/support/servers/app-server";
import { launchBrowser } from "@/e2e/support/browser/browser";
import { sum, weigh, weighPages, type PageWeight } from "@/e2e/support/browser/page-weight";

/** What a first visit of a page transfers, in bytes as compressed on their way. */
export interface PageSizes {
  path: string;
  script: number;
  /** Scripts beyond those of a blank page of the same framework; below zero where a page goes without the framework's. */
  scriptOverBlank: number;
  style: number;
  document: number;
  font: number;
  requests: number;
  /** With the headers of all answers. */
  total: number;
}

/** Weighs every page of the product, and the blank app's first, in a real browser. */
export async function measureSizes(app: AppServer, blank: AppServer): Promise<PageSizes[]> {
  const browser = await launchBrowser();
  try {
    const blankPage = await weigh(browser, blank.url);
    const floor = sum(blankPage.scripts.values());
    const product = [...(await weighPages(browser, app.url))].map(([page, weight]) =>
      sizes(page.path, weight, floor),
    );
    return [sizes("a blank page", blankPage, floor), ...product];
  } finally {
    await browser.close();
  }
}

function sizes(path: string, weight: PageWeight, floor: number): PageSizes {
  const { style, document, font, requests, total } = weight;
  const script = sum(weight.scripts.values());
  return { path, script, scriptOverBlank: script - floor, style, document, font, requests, total };
}
