import type { Page } from "playwright-core";
import { pages, previewPath } from "@/lib/http/pages";
import { continueToGetLikes, skipProgress, startFlow } from "../support/browser/flow-pages";
import { useRig } from "../support/rig";
import { postCode, postLink } from "../support/sample-posts";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { become } from "../support/browser/windows";

/* What the screens say to visitors who go back, reload or return. */

const rig = useRig({ browser: true }, async (parts) => ({
  app: await parts.start(),
  /** One request uses the whole daily limit. */
  scarce: await parts.start({ database: 1, env: { DAILY_LIKE_LIMIT: "50" } }),
}));

const button = (page: Page, name: string) => page.getByRole("button", { name });
const heading = (page: Page, name: string) => page.getByRole("heading", { name });

it("shows the success view of the preview again after a reload, and for Back to step 2", async () => {
  const { page } = await rig.open();
  await startFlow(page, rig.app.url, postLink);
  await page.getByRole("link", { name: "Preview this post" }).click();
  await button(page, "Get 50 Free Likes").click();
  await page.getByText("Order reference").waitFor();
  await page.reload();
  await page.getByText("Order reference").waitFor();
  await page.goBack();
  await page.waitForURL(`**${previewPath(postCode)}`);
  await page.getByText("Order reference").waitFor();
});

it("reads the new number of used likes from the server at every request", async () => {
  const { page } = await rig.open(rig.app.url);
  const read = () =>
    page.evaluate(async () => {
      const response = await fetch("/api/instagram/daily-usage");
      const { dailyLimit } = (await response.json()) as { dailyLimit: { likesUsed: number } };
      return dailyLimit.likesUsed;
    });
  const before = await read();
  await (await newVisitorInFlow(rig.app.url)).like();
  expect(await read()).toBe(before + 50);
});

it.each(["{", "null", '{"success":true}', '{"success":true,"postId":1,"type":"story"}'])(
  "ignores a damaged stored post: %s",
  async (stored) => {
    const { page } = await rig.open(undefined, { once: true });
    const visited = [pages.verification.path];
    await become(page, rig.app.url, await newVisitorInFlow(rig.app.url, undefined, { visited }));
    await page.addInitScript((value) => sessionStorage.setItem("flow.post", value), stored);
    await page.goto(`${rig.app.url}/get-likes/`);
    await button(page, "Send 50 Free Likes").waitFor();
    await page.getByText(postCode).waitFor();
  },
);

it("disables the send button when the server refuses the request because of the daily limit", async () => {
  const { page } = await rig.open(undefined, { clock: true });
  await startFlow(page, rig.scarce.url, postLink);
  await continueToGetLikes(page);
  await button(page, "Send 50 Free Likes").click();
  await (await newVisitorInFlow(rig.scarce.url)).like();
  await page.route("**/api/instagram/daily-usage", (route) => route.abort());
  await skipProgress(page);
  await heading(page, "No Likes Left Today").waitFor();
  expect(await button(page, "Send 50 Free Likes").isDisabled()).toBe(true);
});
