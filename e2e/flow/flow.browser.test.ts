import { expect, test, useServers } from "../support/test";
import type { Locator, Page } from "@playwright/test";
import {
  captchaOf,
  continueToGetLikes,
  passCaptcha,
  pasteLink,
  skipProgress,
  startFlow,
  tabTo,
} from "../support/browser/flow-pages";
import { startRedis } from "../support/servers/redis-server";
import { linkOf, postLink, reelLink, sandboxCodes } from "../support/sample-posts";
import { Visitor } from "../support/visitor";

const servers = useServers({}, async (servers) => ({
  /** The demo, as quickstart runs it. */
  demo: await servers.start(),
  /** The same build with the webhook, and a daily limit of two requests. */
  live: await servers.start({
    live: true,
    database: 1,
    env: { DAILY_LIKE_LIMIT: "100", LIKE_WEBHOOK_TIMEOUT_MS: "1000" },
  }),
}));

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name });

/** In view without scrolling, all of it, on the small phone that these windows are. */
async function isOnFirstScreen(element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= 640;
}

/** Shares a text to the site, as an installed app is sent it: by a form, from outside of the page. */
async function shareTo(page: Page, text: string): Promise<void> {
  await page.goto(`${servers.demo.url}/robots.txt`);
  await page.evaluate((words) => {
    const form = Object.assign(document.createElement("form"), { method: "post", action: "/api/share" });
    form.append(Object.assign(document.createElement("textarea"), { name: "text", value: words }));
    document.body.append(form);
    form.submit();
  }, text);
  await page.waitForURL(`${servers.demo.url}/`);
}

test.describe("the main flow", () => {
  test("shows the private-account page for a private post", async ({ open }) => {
    const { page } = await open();
    await startFlow(page, servers.demo.url, linkOf(sandboxCodes.private));
    await page.waitForURL(/\/private-account-error\/$/);
    await page.getByText("We cannot deliver likes to private Instagram posts.").first().waitFor();
    await page.getByRole("link", { name: "Try Another Post" }).first().click();
    await page.waitForURL(`${servers.demo.url}/`);
  });

  test("says reel for a reel", async ({ open }) => {
    const { page } = await open();
    await startFlow(page, servers.demo.url, reelLink);
    await page.getByText("Reel", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Preview this post" }).click();
    await heading(page, "Get Likes for Your Reel").waitFor();
    // The post was stored by the step before: the title stays although it was set at the page's very start.
    await page.waitForTimeout(500);
    expect(await page.title()).toMatch(/^Get Likes for Your Reel \| /);
  });

  test("shows the limited preview where there is no image, and orders from it", async ({ open }) => {
    const { page } = await open();
    await startFlow(page, servers.demo.url, linkOf(sandboxCodes.withoutImage));
    await page.getByRole("link", { name: "Preview this post" }).click();
    await heading(page, "Get Likes for Your Post").waitFor();
    await page.getByText("Image not available").first().waitFor();
    await page.getByText("Limited preview due to API permissions").waitFor();
    await page
      .getByText("Note: We can't display the post preview, but we can still send likes to this content.")
      .waitFor();
    await page.getByText("Instagram User").waitFor();
    await button(page, "Get 50 Free Likes").click();
    await page
      .getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)
      .first()
      .waitFor();
    await startFlow(page, servers.demo.url, linkOf(sandboxCodes.withoutImage));
    await heading(page, "Rate Limit Reached").waitFor();
    await page.goto(`${servers.demo.url}/preview/NOIMAGE1234?from=url-entry`);
    await button(page, "Get 50 Free Likes").click();
    await heading(page, "Limit Reached").waitFor();
  });

  test("can be walked with the keyboard alone", async ({ open }) => {
    const { page } = await open(servers.demo.url, { viewport: { width: 1280, height: 800 }, clock: true });
    await tabTo(page, "textbox");
    await page.keyboard.insertText(`Look at this ${postLink}?igsh=abc`);
    await tabTo(page, "checkbox");
    await page.keyboard.press("Space");
    await page.getByText("Verification complete.").waitFor({ state: "attached", timeout: 60_000 });
    await tabTo(page, "button", "Continue to Next Step");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/verification\/$/);
    await button(page, "Continue to Get Likes").waitFor();
    await tabTo(page, "button", "Continue to Get Likes");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/get-likes\/$/);
    await button(page, "Send 50 Free Likes").waitFor();
    await tabTo(page, "button", "Send 50 Free Likes");
    await page.keyboard.press("Enter");
    await skipProgress(page);
    await page.waitForURL(/\/success\/$/);
  });
});

test.describe("step 1", () => {
  for (const [text, message] of [
    ["hello", "Must be a valid URL"],
    ["https://www.instagram.com/someone/", "Must be a valid Instagram post or reel URL"],
  ] as const)
    test(`refuses ${text} in the specified words`, async ({ open }) => {
      const { page } = await open(servers.demo.url);
      await pasteLink(page, text);
      await button(page, "Continue to Next Step").click();
      await page.getByText(message).first().waitFor();
    });

  test("is filled by the device's share menu, once, and no address ever holds the link", async ({ open }) => {
    const { context, page, problems } = await open();
    await shareTo(page, `Look at this\n${postLink}?igsh=abc`);
    const field = page.getByRole("textbox");
    await page.waitForFunction(() => document.querySelector("input")?.value !== "");
    expect(await field.inputValue()).toBe(`Look at this ${postLink}?igsh=abc`);
    expect(page.url()).toBe(`${servers.demo.url}/`);
    const devtools = await context.newCDPSession(page);
    const { entries } = await devtools.send("Page.getNavigationHistory");
    expect(entries.filter(({ url }) => /instagram|share/.test(url))).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).not.toContain("shared-text");
    // The form is in use: its check came by itself, and the next visit finds an empty field.
    await passCaptcha(page);
    await page.reload();
    await button(page, "Paste").waitFor();
    expect(await field.inputValue()).toBe("");

    await shareTo(page, "");
    await page.getByText("No text came along. Copy the link of your post and paste it here.").waitFor();
    expect(problems).toEqual([]);
  });

  test("is filled by a press on Paste, which says what is wrong and sends nothing", async ({ open }) => {
    const { context, page, problems } = await open();
    const posts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(servers.demo.url);
    const field = page.getByRole("textbox");
    const isFocused = (element: Locator) => element.evaluate((each) => each === document.activeElement);
    const paste = async (text: string) => {
      await page.evaluate((words) => navigator.clipboard.writeText(words), text);
      await button(page, "Paste").click();
    };
    for (const [text, hint] of [
      ["https://www.instagram.com/someone/", "That looks like a profile."],
      ["https://www.instagram.com/stories/someone/3141592653589793238/", "That looks like a story"],
      ["https://www.instagram.com/share/p/BAbcDefGhi", "That is a short share link."],
      ["https://example.com/p/Cxyz123abc_/", "That link leads to another site."],
    ] as const) {
      await paste(text);
      await page.getByText(hint).waitFor();
      await page.getByText("Must be a valid Instagram post or reel URL").waitFor();
      expect([await field.inputValue(), await isFocused(field)]).toEqual([text, true]);
    }

    await paste(`Look at this\n${postLink}?igsh=abc`);
    const checkbox = captchaOf(page).getByRole("checkbox");
    await checkbox.waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "checkbox");
    expect(await field.inputValue()).toBe(`Look at this ${postLink}?igsh=abc`);
    expect(await field.getAttribute("aria-invalid")).toBeNull();

    await context.clearPermissions();
    await button(page, "Paste").click();
    await page.getByText("Your browser doesn't let us read the clipboard.").waitFor();
    expect([await field.inputValue(), await isFocused(field)]).toEqual([
      `Look at this ${postLink}?igsh=abc`,
      true,
    ]);
    expect([posts, problems]).toEqual([[], []]);
  });

  test("asks for a keyboard of links, and is judged when it is left, never while somebody types", async ({
    open,
  }) => {
    const { page } = await open(servers.demo.url);
    const field = page.getByRole("textbox");
    const message = page.getByText("Must be a valid Instagram post or reel URL");
    expect(await field.getAttribute("inputmode")).toBe("url");
    // A field that is only passed through is not judged, nor one that is being filled.
    await field.focus();
    await page.keyboard.press("Tab");
    await field.focus();
    for (const part of ["https://", "www.instagram.com/", "someone"]) {
      await page.keyboard.type(part);
      expect(await field.getAttribute("aria-invalid")).toBeNull();
    }
    await page.keyboard.press("Tab");
    await message.waitFor();
    expect(await field.getAttribute("aria-describedby")).toBe(
      await message.locator("xpath=ancestor::p").getAttribute("id"),
    );
    // Nor is it called right while somebody types.
    await field.fill(postLink);
    expect(await message.isVisible()).toBe(true);
    await page.keyboard.press("Tab");
    await message.waitFor({ state: "detached" });
  });

  test("says so when the human check cannot be loaded", async ({ open }) => {
    const { page } = await open();
    await page.route("**/api/recaptcha/sitekey", (route) => route.abort());
    await page.goto(servers.demo.url);
    await page.getByRole("textbox").focus();
    await page.getByText("Unable to load verification. Please refresh the page.").waitFor();
  });

  test("fits its promise, field and button into the first screen of a small phone", async ({ open }) => {
    const { page } = await open(servers.demo.url);
    for (const element of [
      page.getByRole("heading", { level: 1 }),
      page.getByRole("textbox"),
      button(page, "Continue to Next Step"),
    ]) {
      expect(await isOnFirstScreen(element)).toBe(true);
    }
  });

  test("Get Started leads to the field", async ({ open }) => {
    const { page } = await open(servers.demo.url);
    await page.getByRole("link", { name: "Get Started" }).click();
    // What is typed now lands in the field; its label is in view.
    await page.keyboard.type("https");
    expect(await page.getByRole("textbox").inputValue()).toBe("https");
    const label = await page.getByText("Link of your Instagram post or reel").boundingBox();
    expect(label?.y).toBeGreaterThanOrEqual(0);
    expect(label?.y).toBeLessThan(600);
  });
});

test.describe("with a receiver", () => {
  test("calls an unknown outcome what it is, and shows success once the order is accepted", async ({
    open,
  }) => {
    servers.receiver.respond("error");
    const { page } = await open(undefined, { clock: true });
    await startFlow(page, servers.live.url, postLink);
    await continueToGetLikes(page);
    await button(page, "Send 50 Free Likes").click();
    await skipProgress(page);
    await page.getByText("Your request is being processed").first().waitFor();
    servers.receiver.respond("accept");
    await button(page, "Check again").click({ timeout: 60_000 });
    await page.waitForURL(/\/success\/$/, { timeout: 20_000 });
    expect(new Set(servers.receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test("shows the receiver's own words when it refuses, and lets the visitor try again", async ({ open }) => {
    servers.receiver.respond({ status: 422, body: { message: "This post breaks the rules." } });
    const { page } = await open(undefined, { clock: true });
    await startFlow(page, servers.live.url, postLink);
    await continueToGetLikes(page);
    await button(page, "Send 50 Free Likes").click();
    await skipProgress(page);
    const alert = page.getByRole("alert").filter({ hasText: "Error: This post breaks the rules." });
    await alert.waitFor();
    expect(await button(page, "Send 50 Free Likes").isEnabled()).toBe(true);
  });

  test("shows the limit panel when the day's likes are used up", async ({ open }) => {
    servers.receiver.respond("accept");
    const visitor = new Visitor(servers.live.url);
    await visitor.startFlow();
    expect((await visitor.like()).status).toBe(200);
    const { page } = await open(servers.live.url);
    await page.getByText("Daily Limit Reached", { exact: true }).waitFor();
    await page.getByText("Daily limit reached! Come back tomorrow for more likes.").waitFor();
    await page.getByText("GMT").first().waitFor();
    expect(await button(page, "Continue to Next Step").count()).toBe(0);
  });
});

test("says what failed while Redis is down, and the page stands", async ({ open }) => {
  const redis = await servers.keep(startRedis());
  const app = await servers.start({ redisUrl: redis.url });
  await redis.kill();
  const { page } = await open(app.url);
  await page.getByText("Unable to load today's like availability").waitFor();
  await page.getByText("Please refresh to check how many free likes are still available today.").waitFor();
});
