import { expect, test, useServers } from "@/testing/test";
import type { Page } from "@playwright/test";
import { pages } from "@/lib/http/pages";
import { passCaptcha } from "@/testing/browser/flow-pages";
import { postLink } from "@/testing/sample-posts";
import { referenceOf, visitorAtStep3 } from "@/testing/visitor";

const servers = useServers();

/** Options of a visitor who sees animations. By default, pages open with reduced motion. */
const animated = { reducedMotion: "no-preference" } as const;

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

test("fills the field with the link in a long shared text, also after a reload, and no URL contains the link", async ({
  open,
}) => {
  const { context, page, problems } = await open(undefined, animated);
  await shareText(page, `${"写真を見て！\n".repeat(800)}${postLink}?igsh=abc`);
  const field = page.getByRole("textbox");
  const shortLink = postLink.replace("https://www.", "");
  await expect(field).toHaveValue(shortLink);
  await expect(page).toHaveURL(`${servers.app.url}/`);
  const devtools = await context.newCDPSession(page);
  const { entries } = await devtools.send("Page.getNavigationHistory");
  expect(entries.filter(({ url }) => /instagram|share/.test(url))).toEqual([]);
  expect(await page.evaluate(() => document.cookie)).not.toContain("shared-text");
  await expect.poll(() => page.evaluate(() => history.state as unknown)).not.toBeNull();
  await page.reload();
  await button(page, "Paste").waitFor();
  await expect(field).toHaveValue(shortLink);
  // The captcha starts without a click, because the field contains a link.
  await passCaptcha(page);
  expect(problems).toEqual([]);
});

test("Get Started scrolls to the link field and focuses it", async ({ open }) => {
  const { page } = await open(servers.app.url, animated);
  await page.getByRole("link", { name: "Get Started" }).click();
  await page.keyboard.type("https");
  await expect(page.getByRole("textbox")).toHaveValue("https");
  await expect(page.getByText("Link of your Instagram post or reel")).toBeInViewport({ ratio: 1 });
});

test("the receipt has a button that copies the reference, and on paper the site's addresses without buttons", async ({
  open,
}) => {
  const visitor = await visitorAtStep3(servers.app.url);
  const reference = referenceOf(await visitor.like());
  const { context, page, problems } = await open(servers.app.url + pages.success.path, { as: visitor });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy reference" }).click();
  await page.getByRole("button", { name: "Reference copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reference);

  await expect(page.getByRole("button", { name: "Print" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(/^Boost50 · https?:\/\/\S+ · support@example\.com$/)).toBeVisible();
  await expect(page.getByText(reference)).toBeVisible();
  for (const role of ["button", "link"] as const)
    await expect(page.getByRole(role, { name: /Print|Copy|Report/ })).toHaveCount(0);

  await page.emulateMedia({ media: "screen" });
  await page.getByRole("link", { name: "Report a problem" }).click();
  await expect(page.getByRole("textbox", { name: "Order reference" })).toHaveValue(reference);
  expect(page.url()).not.toContain(reference);
  expect(problems).toEqual([]);
});
