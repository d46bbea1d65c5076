import { expect, test, useServers } from "../support/test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { launchProfile } from "../support/browser/browser";
import { continueToGetLikes, startFlow } from "../support/browser/flow-pages";
import { postCode, postLink } from "../support/sample-posts";
import { visitorAtStep3 } from "../support/visitor";
import { addCookies } from "../support/browser/open-page";

/* The sealed cookie is the truth: what a tab has stored, or cannot store, decides nothing. */

const servers = useServers();

/** Opens step 3, where the tab has nothing of it; then goes from step 2 to step 3, and orders from the preview. */
async function walkOn(page: Page): Promise<void> {
  await page.goto(`${servers.app.url}/get-likes/`);
  await page.getByRole("button", { name: "Send 50 Free Likes" }).waitFor();
  await page.goto(`${servers.app.url}/verification/`);
  await continueToGetLikes(page);
  await page.getByRole("button", { name: "Send 50 Free Likes" }).waitFor();
  await page.goto(`${servers.app.url}/preview/${postCode}?from=url-entry`);
  await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
  await page.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
}

/** As browsers do it that forbid all storage to a site. */
function forbidStorage() {
  for (const name of ["sessionStorage", "localStorage", "indexedDB", "caches"]) {
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
  }
}

/** Nothing more goes in, for real. */
function fillStorage() {
  if (location.protocol === "about:") return;
  for (const storage of [sessionStorage, localStorage]) {
    for (let size = 1 << 22; size >= 1; size >>= 1) {
      try {
        for (let n = 0; n < 4; n += 1) storage.setItem(`other-${size}-${n}`, "x".repeat(size));
      } catch {
        // On with smaller pieces.
      }
    }
  }
}

test.describe("the steps go on", () => {
  for (const [title, prepare] of [
    ["in a second tab, which has nothing stored", undefined],
    ["where storage is forbidden", forbidStorage],
    ["where storage is full", fillStorage],
  ] as const)
    test(title, async ({ open }) => {
      const { page, problems } = await open();
      await addCookies(page.context(), servers.app.url, await visitorAtStep3(servers.app.url));
      if (prepare) await page.addInitScript(prepare);
      await walkOn(page);
      expect(problems).toEqual([]);
    });

  test("from home, where storage is forbidden", async ({ open }) => {
    const { page, problems } = await open();
    await page.addInitScript(forbidStorage);
    await startFlow(page, servers.app.url, postLink);
    await page.getByRole("button", { name: "Continue to Get Likes" }).waitFor();
    await walkOn(page);
    expect(problems).toEqual([]);
  });
});

test.describe("in a browser of one's own", () => {
  let folder: string;
  let context: BrowserContext | undefined;

  test.beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "profile-"));
  });
  test.afterEach(async () => {
    await context?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<Page> {
    context = await launchProfile(folder);
    return context.pages()[0] ?? context.newPage();
  }

  test("the steps go on in a tab that comes back after the browser was closed", async () => {
    const before = await start();
    await startFlow(before, servers.app.url, postLink);
    await before.getByRole("button", { name: "Continue to Get Likes" }).waitFor();
    await context?.close();
    await walkOn(await start());
  });

  test("refused cookies are named at once, and on the notice to which every step leads", async () => {
    // As the settings of the browser write it.
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
    mkdirSync(join(folder, "Default"), { recursive: true });
    writeFileSync(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
    const page = await start();
    await page.goto(servers.app.url);
    const words = page
      .getByRole("alert")
      .filter({ hasText: "Your browser refuses cookies" })
      .filter({ hasText: "Allow cookies for this site in the privacy settings of your browser" });
    await words.waitFor();
    await startFlow(page, servers.app.url, postLink);
    await page.getByRole("heading", { name: "You Need to Start from the Beginning" }).waitFor();
    await words.waitFor();
  });
});
