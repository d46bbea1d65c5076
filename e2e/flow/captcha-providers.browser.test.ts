import { expect, test, useServers, type Open } from "@/testing/test";
import type { Page } from "@playwright/test";
import { axeViolations, captchaOf, fitsWidth, passCaptcha, pasteLink } from "@/testing/browser/flow-pages";
import { serveProvider, type ProviderPage } from "./provider-script";
import { postLink } from "@/testing/sample-posts";
import { refusal, startSiteverify } from "@/testing/servers/siteverify-server";
import type { OpenOptions } from "@/testing/browser/open-page";

/* lib/server/captcha/siteverify.test.ts covers the protocol, components/captcha/provider-widget.test.ts the loading. */

const secret = "secret-of-the-captcha";

for (const { provider, build, live, scriptSite, size, height } of [
  {
    provider: "recaptcha" as const,
    build: "widened" as const,
    live: false,
    scriptSite: "https://www.google.com/recaptcha/",
    size: "normal",
    height: 78,
  },
  {
    provider: "turnstile" as const,
    build: "live" as const,
    live: true,
    scriptSite: "https://challenges.cloudflare.com/turnstile/",
    size: "flexible",
    height: 65,
  },
])
  test.describe(provider, () => {
    const servers = useServers({}, async (servers) => {
      const siteverify = await servers.keep(startSiteverify({ provider, secret }));
      const env = {
        POST_LOOKUP: "sandbox",
        CAPTCHA_PROVIDER: provider,
        CAPTCHA_SITE_KEY: "site-key-of-the-tests",
        CAPTCHA_SECRET_KEY: secret,
        CAPTCHA_VERIFY_URL: siteverify.url,
      };
      return { siteverify, app: await servers.start({ build, live, env }) };
    });
    test.beforeEach(() => servers.siteverify.respond("verify"));

    async function openHome(open: Open, options: OpenOptions = {}, blocked = false) {
      const opened = await open(undefined, options);
      const widget = await serveProvider(opened.page, provider, servers.siteverify, blocked);
      await opened.page.goto(servers.app.url);
      return { ...opened, widget };
    }

    /** Opens the home page and pastes a link, which loads the captcha. */
    async function openForm(...options: Parameters<typeof openHome>) {
      const opened = await openHome(...options);
      await pasteLink(opened.page, postLink);
      return opened;
    }

    const send = (page: Page) => page.getByRole("button", { name: "Continue to Next Step" }).click();

    async function passAndSend(page: Page, widget: ProviderPage): Promise<void> {
      await passCaptcha(page, await widget.checkbox());
      await send(page);
    }

    async function expectFailure(page: Page): Promise<void> {
      const text = "Unable to load verification. Please refresh the page.";
      await expect(captchaOf(page).getByRole("alert").filter({ hasText: text })).toBeVisible();
    }

    test("loads after the first use of the form, in a placeholder of the same height", async ({ open }) => {
      const { page, problems, widget } = await openHome(open, { viewport: { width: 320, height: 640 } });
      await page.waitForLoadState("networkidle");
      expect(widget.requests).toEqual([]);

      const expectHeight = async () => expect((await captchaOf(page).boundingBox())?.height).toBe(height);
      const loading = captchaOf(page).getByText("Loading verification...");
      await expectHeight();
      await pasteLink(page, postLink);
      await loading.waitFor();
      await expectHeight();
      await (await widget.checkbox()).waitFor();
      await loading.waitFor({ state: "hidden" });
      expect(widget.requests).toEqual([expect.stringContaining(scriptSite)]);
      const options = { sitekey: "site-key-of-the-tests", theme: "light", size };
      expect(await widget.options()).toMatchObject(options);
      await expectHeight();
      expect(await fitsWidth(page)).toBe(true);
      expect(await axeViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
    });

    test("leads from a pasted link to the receipt", async ({ open }) => {
      const { page, problems, widget } = await openForm(open);
      await passAndSend(page, widget);
      await page.waitForURL(/\/verification\/$/);
      await page.getByRole("link", { name: "Preview this post" }).click();
      await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
      await page.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
      expect(problems).toEqual([]);
    });

    test("requires a new check after the token has expired or was rejected", async ({ open }) => {
      const { page, widget } = await openForm(open);
      const verified = page.getByText("Verification complete.");
      const box = await widget.checkbox();
      await passCaptcha(page, box);
      await widget.expire();
      await expect(verified).toHaveCount(0);
      await expect(box).not.toBeChecked();
      const dialog = page.getByRole("dialog", { name: "Verification Required" });
      const complete = dialog.getByRole("button", { name: "I'll Complete the Verification" });
      const before = servers.siteverify.requests.length;
      await send(page);
      await complete.click();
      expect(servers.siteverify.requests).toHaveLength(before);

      servers.siteverify.respond({ body: refusal("timeout-or-duplicate") });
      await passAndSend(page, widget);
      await complete.click();
      await expect(dialog).toBeHidden();
      await expect(box).not.toBeChecked();
      await expect(verified).toHaveCount(0);
      const focused = await page.evaluate(() => document.activeElement?.closest("[role=group]")?.ariaLabel);
      expect(focused).toBe("Human verification");

      servers.siteverify.respond("verify");
      await passAndSend(page, widget);
      await page.waitForURL(/\/verification\/$/);
      expect(servers.app.output()).not.toContain(secret);
    });

    test("shows an error when its script is blocked or its widget fails later", async ({ open }) => {
      const blocked = await openForm(open, {}, true);
      await expectFailure(blocked.page);
      expect(await axeViolations(blocked.page)).toEqual([]);

      const failed = await openForm(open);
      await passCaptcha(failed.page, await failed.widget.checkbox());
      await failed.widget.fail("110200");
      await expectFailure(failed.page);
    });

    test("is dark on a dark page, and compact on a screen of 300 pixels", async ({ open }) => {
      const viewport = { width: 300, height: 640 };
      const { page, widget } = await openForm(open, { viewport, colorScheme: "dark" });
      await (await widget.checkbox()).waitFor();
      expect(await widget.options()).toMatchObject({ theme: "dark", size: "compact" });
      expect(await fitsWidth(page)).toBe(true);
    });
  });
