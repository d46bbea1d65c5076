import { expect, test, useServers } from "../support/test";
import type { Page } from "@playwright/test";
import { axeViolations, fitsWidth, startFlow } from "../support/browser/flow-pages";
import { metaReplies, startLookupServer } from "../support/servers/lookup-servers";
import { postLink } from "../support/sample-posts";

const imageUrl = "https://images.example.com/post.svg";
const found = { status: "public", username: "sample.account", caption: "Hello", imageUrl };

const servers = useServers({}, async (servers) => {
  const meta = await servers.keep(startLookupServer());
  const service = await servers.keep(startLookupServer());
  const lookup = { POST_LOOKUP_URL: service.url, POST_LOOKUP_SECRET: "lookup-secret-of-the-tests" };
  const [oembed, http] = await Promise.all([
    servers.start({ env: { POST_LOOKUP: "oembed", META_OEMBED_URL: meta.url } }),
    servers.start({ build: "widened", database: 1, env: { CAPTCHA_PROVIDER: "altcha", ...lookup } }),
  ]);
  return { meta, service, oembed, http };
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

test.describe("oembed", () => {
  test("leads from the link to the receipt with the limited preview", async ({ open }) => {
    servers.meta.respond(metaReplies.found);
    const { page, problems } = await open();
    await startFlow(page, servers.oembed.url, postLink);
    await openPreview(page);
    await page.getByText("Instagram User").waitFor();
    await page.getByText("Image not available").first().waitFor();
    await page.getByText("Limited preview due to API permissions").waitFor();
    await expectSound(page);
    await order(page);
    expect(problems).toEqual([]);
  });

  test("leads to the private-account page when Meta does not know the post", async ({ open }) => {
    servers.meta.respond(metaReplies.error(24));
    const { page } = await open();
    await startFlow(page, servers.oembed.url, postLink);
    await page.waitForURL(/\/private-account-error\/$/);
  });

  test("says so when Meta does not answer, and works once it does", async ({ open }) => {
    servers.meta.respond("hang");
    const { page } = await open();
    await startFlow(page, servers.oembed.url, postLink);
    const retry = page.getByRole("button", { name: "Try Again" });
    await retry.waitFor();
    await expectSound(page);
    servers.meta.respond(metaReplies.found);
    await retry.click();
    await page.getByRole("link", { name: "Preview this post" }).waitFor();
  });
});

test.describe("http", () => {
  test("leads from the link to the receipt with the service's username and image", async ({ open }) => {
    servers.service.respond({ status: 200, body: found });
    const { page, problems } = await open();
    await serveImages(page);
    await startFlow(page, servers.http.url, postLink);
    await openPreview(page);
    await page.getByText("sample.account").first().waitFor();
    const image = page.getByRole("img", { name: "The post by sample.account" });
    await image.waitFor();
    expect(await image.getAttribute("src")).toBe(imageUrl);
    await page.waitForFunction(() => [...document.images].some((each) => each.naturalWidth === 8));
    await expectSound(page);
    await order(page);
    expect(problems).toEqual([]);
  });

  test("does not ask a host that is not listed for an image", async ({ open }) => {
    const foreign = "https://elsewhere.example.com/post.svg";
    servers.service.respond({ status: 200, body: { ...found, imageUrl: foreign } });
    const { page } = await open();
    const asked = await serveImages(page);
    await startFlow(page, servers.http.url, postLink);
    await openPreview(page);
    await page.getByText("sample.account").first().waitFor();
    await page.getByText("Image not available").first().waitFor();
    expect(asked).toEqual([]);
  });
});
