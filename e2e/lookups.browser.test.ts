import type { Browser, Page } from "playwright-core";
import { startApp, type AppServer } from "./support/app-server";
import { launchBrowser } from "./support/browser";
import { axeViolations, fitsWidth, newWindow, startFlow } from "./support/flow-pages";
import { metaReplies, startLookupServer, type LookupServer } from "./support/lookup-servers";
import { startRedis, type RedisServer } from "./support/redis-server";

const postLink = "https://www.instagram.com/p/Cxyz123abc_/";
const imageUrl = "https://images.example.com/post.svg";
const found = { status: "public", username: "sample.account", caption: "Hello", imageUrl };

let redis: RedisServer;
let meta: LookupServer;
let service: LookupServer;
let oembed: AppServer;
let http: AppServer;
let browser: Browser;

beforeAll(async () => {
  redis = await startRedis();
  meta = await startLookupServer();
  service = await startLookupServer();
  const env = { TRUSTED_IP_HEADER: "x-real-ip", BURST_LIMIT_SCALE: "1000" };
  [oembed, http, browser] = await Promise.all([
    startApp({
      redisUrl: `${redis.url}/0`,
      env: { ...env, POST_LOOKUP: "oembed", META_OEMBED_URL: meta.url },
    }),
    startApp({
      build: "widened",
      redisUrl: `${redis.url}/1`,
      env: {
        ...env,
        CAPTCHA_PROVIDER: "altcha",
        POST_LOOKUP_URL: service.url,
        POST_LOOKUP_SECRET: "lookup-secret-of-the-tests",
      },
    }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await oembed?.stop();
  await http?.stop();
  await meta?.stop();
  await service?.stop();
  await redis?.stop();
});

async function expectSound(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  expect(await fitsWidth(page)).toBe(true);
}

async function openPreview(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Preview this post" }).click();
  await page.getByRole("heading", { name: "Get Likes for Your Post" }).waitFor();
}

/** Orders from the preview, and waits for the receipt. */
async function order(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
  await page
    .getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)
    .first()
    .waitFor();
}

/** Stands in for the image's host: no test asks a host of the internet. Returns the addresses asked for. */
async function serveImages(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route("https://*.example.com/**", (route) => {
    asked.push(route.request().url());
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
    return route.fulfill({ contentType: "image/svg+xml", body });
  });
  return asked;
}

describe("oembed", () => {
  it("leads from the link to the receipt with the limited preview", async () => {
    meta.respond(metaReplies.found);
    const { page, problems, close } = await newWindow(browser);
    await startFlow(page, oembed.url, postLink);
    await openPreview(page);
    await page.getByText("Instagram User").waitFor();
    await page.getByText("Image not available").first().waitFor();
    await page.getByText("Limited preview due to API permissions").waitFor();
    await expectSound(page);
    await order(page);
    expect(problems).toEqual([]);
    await close();
  });

  it("leads to the private-account page when Meta does not know the post", async () => {
    meta.respond(metaReplies.error(24));
    const { page, close } = await newWindow(browser);
    await startFlow(page, oembed.url, postLink);
    await page.waitForURL(/\/private-account-error\/$/);
    await close();
  });

  it("says so when Meta does not answer, and works once it does", async () => {
    meta.respond("hang");
    const { page, close } = await newWindow(browser);
    await startFlow(page, oembed.url, postLink);
    const retry = page.getByRole("button", { name: "Try Again" });
    await retry.waitFor();
    await expectSound(page);
    meta.respond(metaReplies.found);
    await retry.click();
    await page.getByRole("link", { name: "Preview this post" }).waitFor();
    await close();
  });
});

describe("http", () => {
  it("leads from the link to the receipt with the service's username and image", async () => {
    service.respond({ status: 200, body: found });
    const { page, problems, close } = await newWindow(browser);
    await serveImages(page);
    await startFlow(page, http.url, postLink);
    await openPreview(page);
    await page.getByText("sample.account").first().waitFor();
    const image = page.getByRole("img", { name: "The post by sample.account" });
    await image.waitFor();
    expect(await image.getAttribute("src")).toBe(imageUrl);
    await page.waitForFunction(() => [...document.images].some((each) => each.naturalWidth === 8));
    await expectSound(page);
    await order(page);
    expect(problems).toEqual([]);
    await close();
  });

  it("does not ask a host that is not listed for an image", async () => {
    const foreign = "https://elsewhere.example.com/post.svg";
    service.respond({ status: 200, body: { ...found, imageUrl: foreign } });
    const { page, close } = await newWindow(browser);
    const asked = await serveImages(page);
    await startFlow(page, http.url, postLink);
    await openPreview(page);
    await page.getByText("sample.account").first().waitFor();
    await page.getByText("Image not available").first().waitFor();
    expect(asked).toEqual([]);
    await close();
  });
});
