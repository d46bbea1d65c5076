import { expect, test, useServers, type Open } from "../support/test";
import type { Page } from "@playwright/test";
import {
  axeViolations,
  captchaOf,
  continueToGetLikes,
  fitsWidth,
  passCaptcha,
  pasteLink,
  skipProgress,
} from "../support/browser/flow-pages";
import { inTime } from "../support/in-time";
import { serveProvider, type ProviderPage } from "../support/browser/provider-script";
import { postLink } from "../support/sample-posts";
import { refusal, startSiteverify } from "../support/servers/siteverify-server";
import { Visitor } from "../support/visitor";
import type { OpenOptions } from "../support/browser/open-page";

const secret = "secret-of-the-captcha";
const unavailable = "Unable to load verification. Please refresh the page.";

for (const { provider, build, live, scriptSite, height } of [
  {
    provider: "recaptcha" as const,
    build: "widened" as const,
    live: false,
    scriptSite: "https://www.google.com/recaptcha/",
    height: 78,
  },
  {
    provider: "turnstile" as const,
    build: "live" as const,
    live: true,
    scriptSite: "https://challenges.cloudflare.com/turnstile/",
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

    async function openHome(
      open: Open,
      options: OpenOptions = {},
      delivery?: Parameters<typeof serveProvider>[3],
    ) {
      const opened = await open(undefined, options);
      const widget = await serveProvider(opened.page, provider, servers.siteverify, delivery);
      await opened.page.goto(servers.app.url);
      return { ...opened, widget };
    }

    async function passAndSend(page: Page, widget: ProviderPage): Promise<void> {
      await passCaptcha(page, await widget.checkbox());
      await send(page);
    }

    const send = (page: Page) => page.getByRole("button", { name: "Continue to Next Step" }).click();
    const failed = (page: Page) =>
      captchaOf(page).getByRole("alert").filter({ hasText: unavailable }).waitFor();
    const verified = (page: Page) => page.getByText("Verification complete.");

    test("is asked for nothing before the form is touched, then draws its widget in its place", async ({
      open,
    }) => {
      const { page, problems, widget } = await openHome(open);
      await page.waitForLoadState("networkidle");
      expect(widget.requests).toEqual([]);

      const heightNow = async () => (await captchaOf(page).boundingBox())?.height;
      expect(await heightNow()).toBe(height);
      await pasteLink(page, postLink);
      await captchaOf(page).getByText("Loading verification...").waitFor();
      expect(await heightNow()).toBe(height);
      const box = await widget.checkbox();
      await box.waitFor();
      await captchaOf(page).getByText("Loading verification...").waitFor({ state: "hidden" });
      expect(widget.requests).toHaveLength(1);
      expect(widget.requests[0]).toContain(scriptSite);
      expect(await widget.options()).toMatchObject({
        sitekey: "site-key-of-the-tests",
        theme: "light",
        size: provider === "recaptcha" ? "normal" : "flexible",
      });
      expect(await heightNow()).toBe(height);
      expect(await fitsWidth(page)).toBe(true);
      expect(await axeViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
    });

    test("leads from a pasted link to the receipt", async ({ open }) => {
      const { page, problems, widget } = await openHome(open, { clock: true });
      await pasteLink(page, postLink);
      await passAndSend(page, widget);
      await page.waitForURL(/\/verification\/$/);
      if (provider === "recaptcha") {
        await continueToGetLikes(page);
        await page.getByRole("button", { name: "Send 50 Free Likes" }).click();
        await skipProgress(page);
        await page.waitForURL(/\/success\/$/);
      } else {
        // The preview page asks for the likes directly.
        await page.getByRole("link", { name: "Preview this post" }).click();
        await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
      }
      await page.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
      expect(problems).toEqual([]);
    });

    test("wants a new check when the token has expired or was rejected", async ({ open }) => {
      const { page, widget } = await openHome(open);
      await pasteLink(page, postLink);
      const box = await widget.checkbox();
      await passCaptcha(page, box);
      await widget.expire();
      await verified(page).waitFor({ state: "detached" });
      expect(await box.isChecked()).toBe(false);
      const dialog = page.getByRole("dialog", { name: "Verification Required" });
      const complete = dialog.getByRole("button", { name: "I'll Complete the Verification" });
      const before = servers.siteverify.requests.length;
      await send(page);
      await complete.click();
      expect(servers.siteverify.requests).toHaveLength(before);

      servers.siteverify.respond({ body: refusal("timeout-or-duplicate") });
      await passAndSend(page, widget);
      await complete.click();
      await dialog.waitFor({ state: "hidden" });
      expect(await box.isChecked()).toBe(false);
      await verified(page).waitFor({ state: "detached" });
      const focused = await page.evaluate(() => document.activeElement?.closest("[role=group]")?.ariaLabel);
      expect(focused).toBe("Human verification");

      servers.siteverify.respond("verify");
      await passAndSend(page, widget);
      await page.waitForURL(/\/verification\/$/);
    });

    test("says so when its script is blocked, takes too long, or gives up later", async ({ open }) => {
      const blocked = await openHome(open, {}, "blocked");
      await pasteLink(blocked.page, postLink);
      await failed(blocked.page);
      expect(await axeViolations(blocked.page)).toEqual([]);

      const slow = await openHome(open, { clock: true }, "silent");
      await pasteLink(slow.page, postLink);
      await captchaOf(slow.page).getByText("Loading verification...").waitFor();
      await slow.page.waitForFunction(() => document.querySelector("script[src*=onCaptchaScriptLoad]"));
      await slow.page.clock.fastForward(10_100);
      await failed(slow.page);

      const broken = await openHome(open);
      await pasteLink(broken.page, postLink);
      await passCaptcha(broken.page, await broken.widget.checkbox());
      await broken.widget.fail("110200");
      await failed(broken.page);
    });

    test("is dark with the page, and compact on the narrowest screens only", async ({ open }) => {
      for (const [width, size] of [
        [320, provider === "recaptcha" ? "normal" : "flexible"],
        [300, "compact"],
      ] as const) {
        const { page, widget } = await openHome(open, {
          viewport: { width, height: 640 },
          colorScheme: "dark",
        });
        await pasteLink(page, postLink);
        await (await widget.checkbox()).waitFor();
        expect(await widget.options()).toMatchObject({ theme: "dark", size });
        expect(await fitsWidth(page)).toBe(true);
        const [left, right] = await drawnEdges(page);
        expect(left).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(width);
      }
    });

    test("answers 503 within two seconds while the provider does not, and 403 to another site's token", async () => {
      const visitor = new Visitor(servers.app.url);
      const verify = (token: string) => visitor.post("/api/recaptcha/verify", { token, url: postLink });
      servers.siteverify.respond("hang");
      const start = performance.now();
      const answer = await verify("a-token");
      expect(inTime((performance.now() - start) / 1_000)).toBe(true);
      expect([answer.status, answer.body.code]).toEqual([503, "captcha_unavailable"]);
      expect(answer.headers.get("retry-after")).toBe("10");

      servers.siteverify.respond("verify");
      const foreign = await verify(servers.siteverify.issue({ hostname: "evil.example.com" }));
      expect([foreign.status, foreign.body.code]).toEqual([403, "captcha_rejected"]);
      const token = servers.siteverify.issue();
      expect((await verify(token)).status).toBe(200);
      expect((await verify(token)).status).toBe(403);
      // What a provider forgets, the product still knows.
      servers.siteverify.respond({ body: { success: true, hostname: "localhost", action: "verify" } });
      expect((await verify(token)).status).toBe(403);
      expect((await visitor.get("/api/recaptcha/challenge")).status).toBe(404);
      expect(servers.app.output()).toContain("captcha: no answer in time");
      expect(servers.app.output()).not.toContain(secret);
      expect(servers.app.output()).not.toContain(token);
    });
  });

/** Left and right edge of the provider's frame. */
async function drawnEdges(page: Page): Promise<[number, number]> {
  const frame = await page.frame({ name: "captcha" })?.frameElement();
  const box = await frame?.boundingBox();
  return [box?.x ?? NaN, (box?.x ?? NaN) + (box?.width ?? NaN)];
}
