import { test, useServers } from "@/testing/test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "@playwright/test";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { chromiumArguments } from "@/testing/browser/browser";
import { continueToGetLikes, startFlow } from "@/testing/browser/flow-pages";
import { postCode, postLink } from "@/testing/sample-posts";
import { newAddress } from "@/testing/visitor";

/* The flow depends only on the sealed cookie, and not on what a tab has stored. */

const servers = useServers();

test.describe("with a browser profile", () => {
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
    context = await chromium.launchPersistentContext(folder, {
      executablePath: requireProgram("browser"),
      args: chromiumArguments,
      viewport: { width: 360, height: 640 },
      extraHTTPHeaders: { "x-real-ip": newAddress() },
    });
    return context.pages()[0] ?? context.newPage();
  }

  test("the steps work in a new tab after the browser was closed", async () => {
    const before = await start();
    await startFlow(before, servers.app.url, postLink);
    await before.getByRole("link", { name: "Continue to Get Likes" }).waitFor();
    await context?.close();
    const page = await start();
    const sendButton = page.getByRole("button", { name: "Send 50 Free Likes" });
    await page.goto(`${servers.app.url}/get-likes/`);
    await sendButton.waitFor();
    await page.goto(`${servers.app.url}/verification/`);
    await continueToGetLikes(page);
    await sendButton.waitFor();
    await page.goto(`${servers.app.url}/preview/${postCode}?from=url-entry`);
    await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
    await page.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
  });

  test("the home page and the notice say that the browser refuses cookies", async () => {
    // This is the setting "block all cookies" of Chromium.
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
    mkdirSync(join(folder, "Default"), { recursive: true });
    writeFileSync(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
    const page = await start();
    await page.goto(servers.app.url);
    const alert = page
      .getByRole("alert")
      .filter({ hasText: "Your browser refuses cookies" })
      .filter({ hasText: "Allow cookies for this site in the privacy settings of your browser" });
    await alert.waitFor();
    await startFlow(page, servers.app.url, postLink);
    await page.getByRole("heading", { name: "You Need to Start from the Beginning" }).waitFor();
    await alert.waitFor();
  });
});
