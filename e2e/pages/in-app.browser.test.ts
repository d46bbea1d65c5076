import { expect, test, useServers, type Open } from "../support/test";
import type { Page } from "@playwright/test";
import { continueToGetLikes, passCaptcha, skipProgress, startFlow } from "../support/browser/flow-pages";
import { postLink } from "../support/sample-posts";

/* Apps open links in a web view, a browser without tabs, downloads and many interfaces. */

const servers = useServers();

interface App {
  name: string;
  userAgent: string;
  /** Runs in the page before its scripts. */
  forbid: () => void;
}

const apps: App[] = [
  {
    name: "Instagram on Android",
    userAgent:
      "Mozilla/5.0 (Linux; Android 14; SM-A146B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) " +
      "Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36 Instagram 391.0.0.41.100 Android (34/14; 450dpi; " +
      "1080x2208; samsung; SM-A146B; a14xm; mt6833; en_US; 780000000)",
    // This web view has a clipboard, but never asks for the permission.
    forbid: () => {
      const refuse = () => Promise.reject(new DOMException("Read permission denied.", "NotAllowedError"));
      Object.defineProperty(navigator.clipboard, "readText", { value: refuse });
      Object.defineProperty(navigator.clipboard, "writeText", { value: refuse });
      const denied = () => Promise.resolve({ state: "denied" });
      Object.defineProperty(navigator.permissions, "query", { value: denied });
      // Apps can turn off storage.
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, { value: null });
      }
    },
  },
  {
    name: "Facebook on an iPhone",
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 " +
      "[FBAN/FBIOS;FBAV/520.0.0.38.101;FBBV/756351453;FBDV/iPhone14,7;FBMD/iPhone;FBSN/iOS;FBSV/18.5;FBSS/3;FBCR/;FBID/phone;FBLC/en_US;FBOP/80]",
    forbid: () => {
      for (const name of ["clipboard", "permissions", "locks", "serviceWorker", "storage"]) {
        Object.defineProperty(Navigator.prototype, name, { value: undefined });
      }
      for (const name of ["requestIdleCallback", "cancelIdleCallback", "BroadcastChannel", "indexedDB"]) {
        Object.defineProperty(window, name, { value: undefined });
      }
      const refuse = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get: refuse });
    },
  },
];

/** Runs in the page. Removes interfaces that no web view has. */
function forbidEverywhere(): void {
  for (const name of ["share", "canShare"]) {
    Object.defineProperty(Navigator.prototype, name, { value: undefined });
  }
  for (const name of ["Notification", "PushManager", "showSaveFilePicker"]) {
    Object.defineProperty(window, name, { value: undefined });
  }
  window.open = () => null;
}

/** Returns the links that web views do not follow: to new windows, downloads, and other programs except mail. */
function deadLinks(page: Page): Promise<string[]> {
  return page
    .locator('a[target], a[download], a:not([href^="/"], [href^="#"], [href^="http"], [href^="mailto:"])')
    .evaluateAll((links) => links.map((link) => link.outerHTML));
}

for (const { name, userAgent, forbid } of apps)
  test.describe(`inside ${name}`, () => {
    function openInApp(open: Open, clock = false) {
      return open(servers.app.url, {
        userAgent,
        clock,
        hasTouch: true,
        isMobile: true,
        async prepare(page) {
          await page.addInitScript(forbidEverywhere);
          await page.addInitScript(forbid);
        },
      });
    }

    test("the flow leads to the receipt, without links and buttons that the app does not support", async ({
      open,
    }) => {
      const { page, problems } = await openInApp(open, true);
      expect(await deadLinks(page)).toEqual([]);
      await startFlow(page, servers.app.url, postLink);
      await continueToGetLikes(page);
      await page.getByRole("button", { name: "Send 50 Free Likes" }).click();
      await skipProgress(page);
      await page.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
      expect(await deadLinks(page)).toEqual([]);
      // A calendar entry is a download.
      await startFlow(page, servers.app.url, postLink);
      await page.getByRole("timer").waitFor();
      expect(await page.getByRole("button").allInnerTexts()).not.toContain("Add to calendar");
      expect(problems).toEqual([]);
    });

    test("the home page has no Paste button", async ({ open }) => {
      const { page, problems } = await openInApp(open);
      await page.getByRole("textbox").fill(postLink);
      await passCaptcha(page);
      await expect(page.getByRole("button", { name: "Paste" })).toHaveCount(0);
      expect(problems).toEqual([]);
    });
  });
