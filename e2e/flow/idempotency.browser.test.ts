import { expect, test, useServers } from "@/testing/test";
import type { BrowserContext, Page } from "@playwright/test";
import { continueToGetLikes, passCaptcha, skipProgress } from "@/testing/browser/flow-pages";
import { postLink } from "@/testing/sample-posts";
import { likesUsed } from "@/testing/visitor";

/* However often the browser repeats a request, there is one order, and each tab shows its receipt. */

const likePath = "/api/instagram/like";

const servers = useServers({ live: true });
let context: BrowserContext;
let page: Page;
/** The paths of all POST requests of all tabs. */
let posts: string[];

test.beforeEach(async ({ open }) => {
  await servers.store.flushall();
  servers.receiver.requests.length = 0;
  servers.receiver.respond("accept");
  ({ context, page } = await open(undefined, { clock: true, reducedMotion: "no-preference" }));
  posts = [];
  context.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
  await page.goto(servers.app.url);
  await page.getByRole("textbox").fill(postLink);
  await passCaptcha(page);
  await button("Continue to Next Step").dblclick();
  await continueToGetLikes(page);
  expect(posts).toEqual(["/api/recaptcha/verify"]);
});

const button = (name: string, tab = page) => tab.getByRole("button", { name });

/** Expects one order at the receiver and in the ledger, and its receipt in the tab. */
async function expectOneOrder(tab = page): Promise<void> {
  await tab.waitForURL(/\/success\/$/);
  await tab.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
  const ids = servers.receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(1);
  await expect(tab.getByText(ids[0] ?? "none").first()).toBeVisible();
  expect(await likesUsed(servers.app.url)).toBe(50);
}

test("creates one order after double clicks, a reload and Back", async () => {
  await button("Send 50 Free Likes").dblclick();
  await skipProgress(page);
  await expectOneOrder();
  await page.reload();
  await expectOneOrder();
  await page.goBack();
  await expectOneOrder();
  expect(posts.slice(1)).toEqual([likePath]);
});

test("creates one order when responses are lost and the page reloads", async () => {
  const send = async () => {
    await button("Send 50 Free Likes").click();
    await skipProgress(page);
  };
  await page.route(`**${likePath}`, async (route) => {
    const cookies = await context.cookies();
    await route.fetch();
    // The browser must not get the cookie with the receipt.
    await context.clearCookies();
    await context.addCookies(cookies);
    await route.abort("connectionreset");
  });
  for (let lost = 0; lost < 2; lost += 1) {
    await send();
    await page.getByRole("alert").filter({ hasText: "No answer came from the server." }).waitFor();
  }
  await page.unroute(`**${likePath}`);
  await page.reload();
  await send();
  await expectOneOrder();
});
