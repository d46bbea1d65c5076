import { Redis } from "ioredis";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startApp, type AppServer } from "./support/app-server";
import { launchBrowser } from "./support/browser";
import { continueToGetLikes, newWindow, passCaptcha, pasteLink, skipProgress } from "./support/flow-pages";
import { startRedis, type RedisServer } from "./support/redis-server";
import { startReceiver, type WebhookReceiver } from "./support/webhook-receiver";

/*
 * Once means once, as a visitor can tell: however a request is repeated in the browser, there is one order at the
 * receiver, one charge, and every screen that says how it ended shows the receipt of that order.
 */

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const postLink = "https://www.instagram.com/p/Cxyz123abc_/";
const likePath = "**/api/instagram/like";

let redis: RedisServer;
let connection: Redis;
let receiver: WebhookReceiver;
let app: AppServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** The paths of all POST requests of the visit's tabs. */
let posts: string[];

beforeAll(async () => {
  [redis, receiver, browser] = await Promise.all([startRedis(), startReceiver({ secret }), launchBrowser()]);
  connection = new Redis(redis.url);
  app = await startApp({
    redisUrl: redis.url,
    env: {
      TRUSTED_IP_HEADER: "x-real-ip",
      BURST_LIMIT_SCALE: "1000",
      LIKE_DELIVERY: "webhook",
      LIKE_WEBHOOK_URL: receiver.url,
      LIKE_WEBHOOK_SECRET: secret,
      LIKE_DELIVERY_ACKNOWLEDGED: "yes",
    },
  });
});
afterAll(async () => {
  connection?.disconnect();
  await browser?.close();
  await app?.stop();
  await receiver?.stop();
  await redis?.stop();
});
beforeEach(async () => {
  await connection.flushall();
  receiver.requests.length = 0;
  receiver.respond("accept");
  ({ context, page } = await newWindow(browser));
  await page.clock.install();
  posts = [];
  context.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
});
afterEach(() => context.close());

const button = (name: string, tab = page) => tab.getByRole("button", { name });
const postsTo = (path: string) => posts.filter((each) => each === path).length;

/** To step 3, with a double press on the way. */
async function goToStep3(): Promise<void> {
  await page.goto(app.url);
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
  const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(1);
  await tab
    .getByText(ids[0] ?? "none")
    .first()
    .waitFor();
  const { dailyLimit } = (await (await fetch(`${app.url}/api/instagram/daily-usage`)).json()) as {
    dailyLimit: { likesUsed: number };
  };
  expect(dailyLimit.likesUsed).toBe(50);
}

it("double presses, a reload, and Back to send again: one order, and its receipt", async () => {
  await goToStep3();
  expect(postsTo("/api/recaptcha/verify")).toBe(1);
  await button("Send 50 Free Likes").dblclick();
  await skipProgress(page);
  await expectOneOrder();
  expect(postsTo("/api/instagram/like")).toBe(1);

  await page.reload();
  await expectOneOrder();
  await page.goBack();
  await page.waitForURL(/\/get-likes\/$/);
  await send();
  await expectOneOrder();
});

it("an answer that is lost on its way, retried, and retried after a reload: one order, and its receipt", async () => {
  await goToStep3();
  await page.route(likePath, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  for (let lost = 0; lost < 2; lost += 1) {
    await send();
    await page.getByRole("alert").filter({ hasText: "Error: No answer came from the server." }).waitFor();
  }
  await page.unroute(likePath);
  await page.reload();
  await send();
  await expectOneOrder();
});

it("two tabs that race: one order, and its receipt in both", async () => {
  // Long enough that the second request comes while the first waits for the receiver.
  receiver.respond({ status: 200, delayMs: 2_000 });
  await goToStep3();
  const [copy] = await Promise.all([
    context.waitForEvent("page"),
    page.evaluate(() => void window.open(window.location.href)),
  ]);
  const tabs = [page, copy];
  for (const tab of tabs) await button("Send 50 Free Likes", tab).waitFor();
  await Promise.all(tabs.map((tab) => button("Send 50 Free Likes", tab).click()));
  await Promise.all(tabs.map(skipProgress));
  // One of them is told that it is under way, asks again when it may, and is told how it ended.
  const waiting = await Promise.any(
    tabs.map(async (tab) => (await button("Check again", tab).waitFor(), tab)),
  );
  await Promise.any(tabs.map((tab) => tab.waitForURL(/\/success\/$/)));
  await waiting.clock.fastForward(60_000);
  await button("Check again", waiting).click();
  for (const tab of tabs) await expectOneOrder(tab);
  expect(postsTo("/api/instagram/like")).toBe(3);
});
