import { expect, test, useServers } from "../support/test";
import type { BrowserContext, Page } from "@playwright/test";
import { continueToGetLikes, passCaptcha, pasteLink, skipProgress } from "../support/browser/flow-pages";
import { postLink } from "../support/sample-posts";
import { likesUsed } from "../support/visitor";

/*
 * Once means once, as a visitor can tell: however a request is repeated in the browser, there is one order at the
 * receiver, one charge, and every screen that says how it ended shows the receipt of that order.
 */

const likePath = "**/api/instagram/like";

const servers = useServers({ live: true });
let context: BrowserContext;
let page: Page;
/** The paths of all POST requests of the visit's tabs. */
let posts: string[];

test.beforeEach(async ({ open }) => {
  await servers.store.flushall();
  servers.receiver.requests.length = 0;
  servers.receiver.respond("accept");
  ({ context, page } = await open(undefined, { clock: true }));
  posts = [];
  context.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
});

const button = (name: string, tab = page) => tab.getByRole("button", { name });
const postsTo = (path: string) => posts.filter((each) => each === path).length;

/** To step 3, with a double press on the way. */
async function goToStep3(): Promise<void> {
  await page.goto(servers.app.url);
  await pasteLink(page, postLink);
  await passCaptcha(page);
  await button("Continue to Next Step").dblclick();
  await page.waitForURL(/\/verification\/$/);
  await continueToGetLikes(page);
}

async function send(tab = page): Promise<void> {
  await button("Send 50 Free Likes", tab).click();
  await skipProgress(tab);
}

/** The screen is the success of the one order there is, everywhere. */
async function expectOneOrder(tab = page): Promise<void> {
  await tab.waitForURL(/\/success\/$/);
  await tab.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
  const ids = servers.receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(1);
  await tab
    .getByText(ids[0] ?? "none")
    .first()
    .waitFor();
  expect(await likesUsed(servers.app.url)).toBe(50);
}

test("double presses, a reload, and Back: one order, and its receipt", async () => {
  await goToStep3();
  expect(postsTo("/api/recaptcha/verify")).toBe(1);
  await button("Send 50 Free Likes").dblclick();
  await skipProgress(page);
  await expectOneOrder();
  expect(postsTo("/api/instagram/like")).toBe(1);

  await page.reload();
  await expectOneOrder();
  await page.goBack();
  await expectOneOrder();
  expect(postsTo("/api/instagram/like")).toBe(1);
});

test("an answer that is lost on its way, retried, and retried after a reload: one order, and its receipt", async () => {
  await goToStep3();
  await page.route(likePath, async (route) => {
    const cookies = await context.cookies();
    await route.fetch();
    // The browser must not get the cookie with the receipt.
    await context.addCookies(cookies);
    await route.abort("connectionreset");
  });
  for (let lost = 0; lost < 2; lost += 1) {
    await send();
    await page.getByRole("alert").filter({ hasText: "No answer came from the server." }).waitFor();
  }
  await page.unroute(likePath);
  await page.reload();
  await send();
  await expectOneOrder();
});

test("two tabs that race: one order, and its receipt in both", async () => {
  // Long enough that the second request comes while the first waits for the servers.receiver.
  servers.receiver.respond({ status: 200, delayMs: 2_000 });
  await goToStep3();
  const [copy] = await Promise.all([
    context.waitForEvent("page"),
    page.evaluate(() => void window.open(window.location.href)),
  ]);
  const tabs = [page, copy];
  for (const tab of tabs) await button("Send 50 Free Likes", tab).waitFor();
  await Promise.all(tabs.map((tab) => button("Send 50 Free Likes", tab).click()));
  await Promise.all(tabs.map(skipProgress));
  // One tab says that the request is under way. The other tab then tells it about the accepted order.
  await Promise.any(tabs.map((tab) => button("Check again", tab).waitFor()));
  for (const tab of tabs) await expectOneOrder(tab);
  expect(postsTo("/api/instagram/like")).toBe(2);
});
