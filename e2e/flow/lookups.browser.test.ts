import { expect, test, useServers } from "../support/test";
import type { Page } from "@playwright/test";
import { axeViolations, fitsWidth, startFlow } from "../support/browser/flow-pages";
import { metaReplies, startLookupServer } from "../support/servers/lookup-servers";
import { postLink } from "../support/sample-posts";

const imageUrl = "https://images.example.com/post.svg";

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

async function expectAccessible(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  expect(await fitsWidth(page)).toBe(true);
}

async function openPreview(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Preview this post" }).click();
  await page.getByRole("heading", { name: "Get Likes for Your Post" }).waitFor();
}

/** Sends the request for likes on the preview page. */
async function orderFromPreview(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
  await expect(page.getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/).first()).toBeVisible();
}

test("leads to the receipt with a limited preview from oEmbed", async ({ open }) => {
  servers.meta.respond(metaReplies.found);
  const { page, problems } = await open();
  await startFlow(page, servers.oembed.url, postLink);
  await openPreview(page);
  await page.getByText("Instagram User").waitFor();
  await page.getByText("Image not available").first().waitFor();
  await page.getByText("Limited preview due to API permissions").waitFor();
  await page
    .getByText("Note: We can't display the post preview, but we can still send likes to this content.")
    .waitFor();
  await expectAccessible(page);
  await orderFromPreview(page);
  expect(problems).toEqual([]);
});

test("offers a retry when Meta does not respond", async ({ open }) => {
  servers.meta.respond("hang");
  const { page } = await open();
  await startFlow(page, servers.oembed.url, postLink);
  const retry = page.getByRole("button", { name: "Try Again" });
  await retry.waitFor();
  await expectAccessible(page);
  servers.meta.respond(metaReplies.found);
  await retry.click();
  await page.getByRole("link", { name: "Preview this post" }).waitFor();
});

test("leads to the receipt with the username and image of a lookup service", async ({ open }) => {
  const found = { status: "public", username: "sample.account", caption: "Hello", imageUrl };
  servers.service.respond({ status: 200, body: found });
  const { page, problems } = await open();
  // Tests send no requests to the internet.
  await page.route("https://*.example.com/**", (route) => {
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
    return route.fulfill({ contentType: "image/svg+xml", body });
  });
  await startFlow(page, servers.http.url, postLink);
  await openPreview(page);
  await page.getByText("sample.account").first().waitFor();
  await expect(page.getByRole("img", { name: "The post by sample.account" })).toHaveAttribute(
    "src",
    imageUrl,
  );
  await page.waitForFunction(() => [...document.images].some((each) => each.naturalWidth === 8));
  await expectAccessible(page);
  await orderFromPreview(page);
  expect(problems).toEqual([]);
});
