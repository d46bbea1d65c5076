import type { Browser } from "playwright-core";
import { pages, type Page as SitePage } from "@/lib/routes";
import { startApp, type AppServer } from "./support/app-server";
import { launchBrowser } from "./support/browser";
import { axeViolations, fitsWidth, newWindow } from "./support/flow-pages";
import { startRedis, type RedisServer } from "./support/redis-server";

let redis: RedisServer;
let app: AppServer;
let browser: Browser;

beforeAll(async () => {
  redis = await startRedis();
  browser = await launchBrowser();
  app = await startApp({ redisUrl: redis.url, env: { TRUSTED_IP_HEADER: "x-real-ip" } });
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await redis?.stop();
});

const contentPages = Object.values<SitePage>(pages).filter(({ kind }) => kind === "content");
const paths = [pages.home, ...contentPages].map(({ path }) => path);

const looks = [
  { name: "a phone, light", viewport: { width: 360, height: 640 }, colorScheme: "light" },
  { name: "a desktop, dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
] as const;

describe.each(looks)("on $name", ({ viewport, colorScheme }) => {
  it.each(paths)("%s has no accessibility problem, with every answer open", async (path) => {
    const { page, problems, close } = await newWindow(browser, { viewport, colorScheme });
    await page.goto(app.url + path);
    await page.evaluate(() => {
      for (const list of document.querySelectorAll("details")) list.removeAttribute("name");
      for (const list of document.querySelectorAll("details")) list.open = true;
    });
    expect(await axeViolations(page)).toEqual([]);
    expect(await fitsWidth(page)).toBe(true);
    expect(problems).toEqual([]);
    await close();
  });
});

it.each(paths)("%s fits a screen of 320 pixels, with every answer open", async (path) => {
  const { page, close } = await newWindow(browser, { viewport: { width: 320, height: 568 } });
  await page.goto(app.url + path);
  await page.evaluate(() => {
    for (const list of document.querySelectorAll("details")) list.removeAttribute("name");
    for (const list of document.querySelectorAll("details")) list.open = true;
  });
  expect(await fitsWidth(page)).toBe(true);
  await close();
});

describe("the home page", () => {
  it("shows promise, field, human check and button on the first screen of a small phone", async () => {
    const { page, close } = await newWindow(browser);
    await page.goto(app.url);
    for (const part of [
      page.getByRole("heading", { level: 1 }),
      page.getByRole("textbox"),
      page.getByRole("button", { name: "Continue to Next Step" }),
    ]) {
      const box = await part.boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
    }
    await close();
  });

  it("Get Started leads to the field", async () => {
    const { page, close } = await newWindow(browser);
    await page.goto(app.url);
    await page.getByRole("link", { name: "Get Started" }).click();
    // What is typed now lands in the field; its label is in view.
    await page.keyboard.type("https");
    expect(await page.getByRole("textbox").inputValue()).toBe("https");
    const label = await page.getByText("Link of your Instagram post or reel").boundingBox();
    expect(label?.y).toBeGreaterThanOrEqual(0);
    expect(label?.y).toBeLessThan(600);
    await close();
  });
});
