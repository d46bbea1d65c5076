import { expect, test, useServers } from "../support/test";
import type { Page } from "@playwright/test";
import { captchaOf, passCaptcha, skipProgress, startFlow, tabTo } from "../support/browser/flow-pages";
import { linkOf, postLink, reelLink, sandboxCodes } from "../support/sample-posts";

const servers = useServers();

const button = (page: Page, name: string) => page.getByRole("button", { name });

/** Sends a text like the share menu of a device, with a form from outside the page. */
async function shareText(page: Page, text: string): Promise<void> {
  await page.goto(`${servers.app.url}/robots.txt`);
  await page.evaluate((value) => {
    const form = Object.assign(document.createElement("form"), { method: "post", action: "/api/share" });
    form.append(Object.assign(document.createElement("textarea"), { name: "text", value }));
    document.body.append(form);
    form.submit();
  }, text);
  await page.waitForURL(`${servers.app.url}/`);
}

test("shows the private-account page for a private post", async ({ open }) => {
  const { page } = await open();
  await startFlow(page, servers.app.url, linkOf(sandboxCodes.private));
  await expect(page).toHaveURL(/\/private-account-error\/$/);
  await page.getByText("We cannot deliver likes to private Instagram posts.").first().waitFor();
  await page.getByRole("link", { name: "Try Another Post" }).first().click();
  await expect(page).toHaveURL(`${servers.app.url}/`);
});

test("uses the word reel for a reel", async ({ open }) => {
  const { page } = await open();
  await startFlow(page, servers.app.url, reelLink);
  await page.getByText("Reel", { exact: true }).first().waitFor();
  await page.getByRole("link", { name: "Preview this post" }).click();
  await page.getByRole("heading", { name: "Get Likes for Your Reel" }).waitFor();
  // Step 2 has stored the post, so the page sets its title early. Hydration must not reset it.
  await page.waitForTimeout(500);
  await expect(page).toHaveTitle(/^Get Likes for Your Reel \| /);
});

test("leads to the receipt with the keyboard alone", async ({ open }) => {
  const { page } = await open(servers.app.url, { viewport: { width: 1280, height: 800 }, clock: true });
  const pressEnter = async (name: string) => {
    await button(page, name).waitFor();
    await tabTo(page, "button", name);
    await page.keyboard.press("Enter");
  };
  await tabTo(page, "textbox");
  await page.keyboard.insertText(`Look at this ${postLink}?igsh=abc`);
  await tabTo(page, "checkbox");
  await page.keyboard.press("Space");
  await page.getByText("Verification complete.").waitFor({ state: "attached", timeout: 60_000 });
  await pressEnter("Continue to Next Step");
  await page.waitForURL(/\/verification\/$/);
  await pressEnter("Continue to Get Likes");
  await page.waitForURL(/\/get-likes\/$/);
  await pressEnter("Send 50 Free Likes");
  await skipProgress(page);
  await page.waitForURL(/\/success\/$/);
});

test("fills the field once with a shared text, and no URL contains the link", async ({ open }) => {
  const { context, page, problems } = await open();
  await shareText(page, `Look at this\n${postLink}?igsh=abc`);
  const field = page.getByRole("textbox");
  await expect(field).toHaveValue(`Look at this ${postLink}?igsh=abc`);
  await expect(page).toHaveURL(`${servers.app.url}/`);
  const devtools = await context.newCDPSession(page);
  const { entries } = await devtools.send("Page.getNavigationHistory");
  expect(entries.filter(({ url }) => /instagram|share/.test(url))).toEqual([]);
  expect(await page.evaluate(() => document.cookie)).not.toContain("shared-text");
  // The captcha loads without a click, because the field contains text.
  await passCaptcha(page);
  await page.reload();
  await button(page, "Paste").waitFor();
  await expect(field).toHaveValue("");

  await shareText(page, "");
  await page.getByText("No text came along. Copy the link of your post and paste it here.").waitFor();
  expect(problems).toEqual([]);
});

test("fills the field by the Paste button, shows advice for other links, and sends nothing", async ({
  open,
}) => {
  const { context, page, problems } = await open();
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(servers.app.url);
  const field = page.getByRole("textbox");
  const paste = async (text: string) => {
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await button(page, "Paste").click();
  };
  for (const [text, advice] of [
    ["https://www.instagram.com/someone/", "That looks like a profile."],
    ["https://www.instagram.com/stories/someone/3141592653589793238/", "That looks like a story"],
    ["https://www.instagram.com/share/p/BAbcDefGhi", "That is a short share link."],
    ["https://example.com/p/Cxyz123abc_/", "That link leads to another site."],
  ] as const) {
    await paste(text);
    await page.getByText(advice).waitFor();
    await page.getByText("Must be a valid Instagram post or reel URL").waitFor();
    await expect(field).toHaveValue(text);
    await expect(field).toBeFocused();
  }

  await paste(`Look at this\n${postLink}?igsh=abc`);
  await expect(captchaOf(page).getByRole("checkbox")).toBeFocused();
  await expect(field).toHaveValue(`Look at this ${postLink}?igsh=abc`);
  await expect(field).not.toHaveAttribute("aria-invalid");

  await context.clearPermissions();
  await button(page, "Paste").click();
  await page.getByText("Your browser doesn't let us read the clipboard.").waitFor();
  await expect(field).toHaveValue(`Look at this ${postLink}?igsh=abc`);
  await expect(field).toBeFocused();
  expect([posts, problems]).toEqual([[], []]);
});
