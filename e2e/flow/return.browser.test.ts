import { expect, test, useServers } from "../support/test";
import type { Page } from "@playwright/test";
import { pages, previewPath } from "@/lib/http/pages";
import { continueToGetLikes, skipProgress, startFlow } from "../support/browser/flow-pages";
import { postCode, postLink } from "../support/sample-posts";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { addCookies } from "../support/browser/open-page";

/* What the screens say to visitors who go back, reload or return. */

const servers = useServers({}, async (parts) => ({
  app: await parts.start(),
  /** One request uses the whole daily limit. */
  scarce: await parts.start({ database: 1, env: { DAILY_LIKE_LIMIT: "50" } }),
}));

const button = (page: Page, name: string) => page.getByRole("button", { name });
const heading = (page: Page, name: string) => page.getByRole("heading", { name });

test("shows the success view of the preview again after a reload, and for Back to step 2", async ({
  open,
}) => {
  const { page } = await open();
  await startFlow(page, servers.app.url, postLink);
  await page.getByRole("link", { name: "Preview this post" }).click();
  await button(page, "Get 50 Free Likes").click();
  await page.getByText("Order reference").waitFor();
  await page.reload();
  await page.getByText("Order reference").waitFor();
  await page.goBack();
  await page.waitForURL(`**${previewPath(postCode)}`);
  await page.getByText("Order reference").waitFor();
});

test("reads the new number of used likes from the server at every request", async ({ open }) => {
  const { page } = await open(servers.app.url);
  const read = () =>
    page.evaluate(async () => {
      const response = await fetch("/api/instagram/daily-usage");
      const { dailyLimit } = (await response.json()) as { dailyLimit: { likesUsed: number } };
      return dailyLimit.likesUsed;
    });
  const before = await read();
  await (await newVisitorInFlow(servers.app.url)).like();
  expect(await read()).toBe(before + 50);
});

for (const stored of ["{", "null", '{"success":true}', '{"success":true,"postId":1,"type":"story"}'])
  test(`ignores a damaged stored post: ${stored}`, async ({ open }) => {
    const { page } = await open();
    const visited = [pages.verification.path];
    await addCookies(
      page.context(),
      servers.app.url,
      await newVisitorInFlow(servers.app.url, undefined, { visited }),
    );
    await page.addInitScript((value) => sessionStorage.setItem("flow.post", value), stored);
    await page.goto(`${servers.app.url}/get-likes/`);
    await button(page, "Send 50 Free Likes").waitFor();
    await page.getByText(postCode).waitFor();
  });

test("disables the send button when the server refuses the request because of the daily limit", async ({
  open,
}) => {
  const { page } = await open(undefined, { clock: true });
  await startFlow(page, servers.scarce.url, postLink);
  await continueToGetLikes(page);
  await button(page, "Send 50 Free Likes").click();
  await (await newVisitorInFlow(servers.scarce.url)).like();
  await page.route("**/api/instagram/daily-usage", (route) => route.abort());
  await skipProgress(page);
  await heading(page, "No Likes Left Today").waitFor();
  expect(await button(page, "Send 50 Free Likes").isDisabled()).toBe(true);
});
