import { launchBrowser } from "@/testing/browser/browser";
import { weigh, weighPages } from "@/testing/browser/page-weight";

/** Measures the transferred bytes of a first visit in a browser: the blank app's page, and every page of the product. */
export async function measurePages(url: string, blankUrl: string): Promise<object[]> {
  const browser = await launchBrowser();
  try {
    const blank = await weigh(browser, blankUrl);
    const pages = [...(await weighPages(browser, url))].map(([{ path }, weight]) => ({ path, ...weight }));
    return [{ path: "a blank page", ...blank }, ...pages].map((row) => ({
      ...row,
      scriptOverBlank: row.script - blank.script,
    }));
  } finally {
    await browser.close();
  }
}
