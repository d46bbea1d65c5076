import { expect, test, useServers } from "@/testing/test";
import type { Page } from "@playwright/test";
import { passCaptcha, reachReceipt, startFlow } from "@/testing/browser/flow-pages";
import { turnOff } from "@/testing/browser/turn-off";
import { postLink } from "@/testing/sample-posts";

/* Apps open links in a web view, a browser without tabs, downloads and many interfaces. */

const servers = useServers();

/** Instagram on Android. lib/client/browser/save-file.test.ts has the names of other apps. */
const userAgent =
  "Mozilla/5.0 (Linux; Android 14; SM-A146B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) " +
  "Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36 Instagram 391.0.0.41.100 Android (34/14; 450dpi; " +
  "1080x2208; samsung; SM-A146B; a14xm; mt6833; en_US; 780000000)";

const faults = [
  // No web view has these interfaces.
  ["navigator.share navigator.canShare Notification PushManager showSaveFilePicker open", "is undefined"],
  // This web view has a clipboard, but never asks for the permission.
  ["navigator.clipboard.readText navigator.clipboard.writeText", "throws when used"],
  ["navigator.permissions.query", "is denied"],
  // Apps can turn off storage.
  ["localStorage sessionStorage", "is null"],
] as const;

/** Returns the links that web views do not follow: to new windows, downloads, and other programs except mail. */
function deadLinks(page: Page): Promise<string[]> {
  return page
    .locator('a[target], a[download], a:not([href^="/"], [href^="#"], [href^="http"], [href^="mailto:"])')
    .evaluateAll((links) => links.map((link) => link.outerHTML));
}

test("inside an app, the flow leads to the receipt, without links and buttons that the app does not support", async ({
  open,
}) => {
  const { page, problems } = await open(undefined, {
    userAgent,
    clock: true,
    hasTouch: true,
    isMobile: true,
  });
  for (const fault of faults) await page.addInitScript(turnOff, fault);
  await page.goto(servers.app.url);
  await page.getByRole("textbox").fill(postLink);
  await passCaptcha(page);
  await expect(page.getByRole("button", { name: "Paste" })).toHaveCount(0);
  expect(await deadLinks(page)).toEqual([]);
  await reachReceipt(page, servers.app.url, postLink);
  expect(await deadLinks(page)).toEqual([]);
  // A calendar entry is a download.
  await startFlow(page, servers.app.url, postLink);
  await page.getByRole("timer").waitFor();
  expect(await page.getByRole("button").allInnerTexts()).not.toContain("Add to calendar");
  expect(problems).toEqual([]);
});
