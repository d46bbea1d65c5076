import { expect, test, useServers } from "../support/test";
import { pages, previewPath } from "@/lib/http/pages";
import { postCode } from "../support/sample-posts";
import { newVisitorInFlow } from "../support/visitor-in-flow";

/* The pages after a reload, after Back, and with a damaged store. */

const servers = useServers();

const visitorInFlow = (visited: string[]) => newVisitorInFlow(servers.app.url, undefined, { visited });

test("shows the success view of the preview again after a reload, and for Back to step 2", async ({
  open,
}) => {
  const visitor = await visitorInFlow([]);
  const { page } = await open(`${servers.app.url}/verification/`, { as: visitor });
  await page.getByRole("link", { name: "Preview this post" }).click();
  await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
  await page.getByText("Order reference").waitFor();
  await page.reload();
  await page.getByText("Order reference").waitFor();
  await page.goBack();
  await page.waitForURL(`**${previewPath(postCode)}`);
  await page.getByText("Order reference").waitFor();
});

test("the browser does not cache the number of used likes", async ({ open }) => {
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

test("ignores a damaged stored post", async ({ open }) => {
  const as = await visitorInFlow([pages.verification.path]);
  for (const stored of ["{", "null", '{"success":true}', '{"success":true,"postId":1,"type":"story"}']) {
    const { page } = await open(`${servers.app.url}/get-likes/`, {
      as,
      prepare: (page) => page.addInitScript((value) => sessionStorage.setItem("flow.post", value), stored),
    });
    await expect(page.getByRole("button", { name: "Send 50 Free Likes" }), stored).toBeVisible();
    await expect(page.getByText(postCode), stored).toBeVisible();
  }
});
