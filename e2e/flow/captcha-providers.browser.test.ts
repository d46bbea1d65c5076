import { expect, test, useServers, type Open } from "@/testing/test";
import { axeViolations, captchaOf, fitsWidth } from "@/testing/browser/flow-pages";
import type { OpenOptions } from "@/testing/browser/open-page";
import { postLink } from "@/testing/sample-posts";
import { refusal, startSiteverify } from "@/testing/servers/siteverify-server";

/*
 * A fake replaces the script of the provider, so that pages send it no request.
 * lib/server/captcha/siteverify.test.ts covers the protocol, components/captcha/provider-widget.test.ts the loading, and
 * captcha.test.tsx the messages about failures.
 */

const secret = "secret-of-the-captcha";
const providerSites = /^https:\/\/(?:[\w-]+\.)*(?:google|gstatic|cloudflare|recaptcha)\.(?:com|net)\//;

declare global {
  interface Window {
    /** The last rendered widget. */
    captchaFake: {
      options: Record<string, unknown> & {
        size: string;
        callback: (token: string) => void;
        "expired-callback": () => void;
        "error-callback": (code: string) => unknown;
      };
      resets: number;
    };
  }
}

/**
 * Runs in the page in place of the provider's script. Implements the documented functions for explicit rendering of
 * both providers. It cannot use anything outside this function.
 */
function fakeScript(provider: string, source: string, frameAddress: string): void {
  const isTurnstile = provider === "turnstile";
  const sizes: Record<string, [width: string, height: string]> = {
    normal: ["304px", "78px"],
    compact: isTurnstile ? ["150px", "140px"] : ["164px", "144px"],
    flexible: ["100%", "65px"],
  };
  const frame = document.createElement("iframe");
  Object.assign(window, {
    [isTurnstile ? "turnstile" : "grecaptcha"]: {
      render(place: HTMLElement, options: Window["captchaFake"]["options"]): string | number {
        if (place.childElementCount > 0 || place.shadowRoot)
          throw new Error("already rendered in this element");
        const [width = "", height = ""] = sizes[options.size] ?? [];
        Object.assign(frame, { title: "Widget of the tests", src: frameAddress });
        Object.assign(frame.style, { width, height, border: "0", display: "block" });
        if (options.size === "flexible") frame.style.minWidth = "300px";
        if (isTurnstile) {
          // Turnstile has no height until its frame has loaded.
          frame.style.height = "0";
          frame.addEventListener("load", () => (frame.style.height = height));
        }
        (isTurnstile ? place.attachShadow({ mode: "closed" }) : place).append(frame);
        window.captchaFake = { options, resets: 0 };
        return isTurnstile ? "cf-chl-widget-0" : 0;
      },
      reset: () => (window.captchaFake.resets += 1),
      ...(isTurnstile && { remove: () => frame.remove() }),
    },
  });
  const parameters = new URL(source).searchParams;
  const onload = Reflect.get(window, parameters.get("onload") ?? "") as unknown;
  if (parameters.get("render") !== "explicit" || typeof onload !== "function") {
    throw new Error("The script was requested without explicit rendering.");
  }
  setTimeout(onload as () => void, 100);
}

for (const { provider, build, script, frame, size, height, compactHeight } of [
  {
    provider: "recaptcha" as const,
    build: "widened" as const,
    script: "https://www.google.com/recaptcha/api.js?",
    frame: "https://www.google.com/recaptcha/api2/anchor",
    size: "normal",
    height: 78,
    compactHeight: 144,
  },
  {
    provider: "turnstile" as const,
    build: "live" as const,
    script: "https://challenges.cloudflare.com/turnstile/v0/api.js?",
    frame: "https://challenges.cloudflare.com/cdn-cgi/challenge-platform/widget",
    size: "flexible",
    height: 65,
    compactHeight: 140,
  },
])
  test.describe(provider, () => {
    const servers = useServers({}, async (servers) => {
      const siteverify = await servers.keep(startSiteverify(provider, secret));
      const env = { POST_LOOKUP: "sandbox", ...siteverify.env };
      return { siteverify, app: await servers.start({ build, live: build === "live", env }) };
    });
    test.beforeEach(() => servers.siteverify.respond("verify"));

    async function openHome(open: Open, options?: OpenOptions) {
      const opened = await open(undefined, options);
      const { page } = opened;
      const requests: string[] = [];
      await page.route(providerSites, (route) => {
        const address = route.request().url();
        if (address === frame) return route.fulfill({ contentType: "text/html", body: "<title>Check" });
        requests.push(address);
        const body = `(${fakeScript.toString()})("${provider}", document.currentScript.src, "${frame}")`;
        return route.fulfill({ contentType: "text/javascript", body });
      });
      await page.goto(servers.app.url);
      const loading = captchaOf(page).getByText("Loading verification...");
      const loadWidget = async () => {
        await page.getByRole("textbox").fill(postLink);
        await loading.waitFor();
        await loading.waitFor({ state: "hidden" });
      };
      const verified = page.getByText("Verification complete.");
      /** Passes the check of the widget. */
      const pass = async () => {
        const token = servers.siteverify.issue();
        await page.evaluate((token) => window.captchaFake.options.callback(token), token);
        await verified.waitFor({ state: "attached" });
      };
      return { ...opened, requests, loadWidget, verified, pass };
    }

    for (const [colorScheme, width, expectedSize, expectedHeight] of [
      ["light", 320, size, height],
      ["dark", 300, "compact", compactHeight],
    ] as const)
      test(`loads after the first use of the form, in a placeholder of the same height: ${colorScheme}, ${width} pixels`, async ({
        open,
      }) => {
        const options = { viewport: { width, height: 640 }, colorScheme };
        const { page, problems, requests, loadWidget } = await openHome(open, options);
        await page.waitForLoadState("networkidle");
        expect(requests).toEqual([]);
        const expectHeight = async () =>
          expect((await captchaOf(page).boundingBox())?.height).toBe(expectedHeight);
        await expectHeight();
        await loadWidget();
        await expectHeight();
        expect(requests).toEqual([expect.stringContaining(script)]);
        const chosen = await page.evaluate(() => JSON.stringify(window.captchaFake.options));
        const expected = { sitekey: "site-key-of-the-tests", theme: colorScheme, size: expectedSize };
        expect(JSON.parse(chosen)).toMatchObject(expected);
        expect(await fitsWidth(page)).toBe(true);
        expect(await axeViolations(page)).toEqual([]);
        expect(problems).toEqual([]);
        await page.evaluate(() => void window.captchaFake.options["error-callback"]("110200"));
        await expect(captchaOf(page).getByRole("alert")).toContainText("Unable to load verification.");
      });

    test("requires a new check after the token has expired or was rejected, and then leads to the receipt", async ({
      open,
    }) => {
      const { page, loadWidget, verified, pass } = await openHome(open);
      await loadWidget();
      await pass();
      await page.evaluate(() => window.captchaFake.options["expired-callback"]());
      await expect(verified).toHaveCount(0);
      const send = page.getByRole("button", { name: "Continue to Next Step" });
      const complete = page.getByRole("button", { name: "I'll Complete the Verification" });
      const before = servers.siteverify.requests.length;
      await send.click();
      await complete.click();
      expect(servers.siteverify.requests).toHaveLength(before);

      servers.siteverify.respond({ body: refusal("timeout-or-duplicate") });
      await pass();
      await send.click();
      await complete.click();
      await expect(verified).toHaveCount(0);
      expect(await page.evaluate(() => window.captchaFake.resets)).toBe(1);
      const focused = await page.evaluate(() => document.activeElement?.closest("[role=group]")?.ariaLabel);
      expect(focused).toBe("Human verification");

      servers.siteverify.respond("verify");
      await pass();
      await send.click();
      await page.getByRole("link", { name: "Preview this post" }).click();
      await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
      await page.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
      expect(servers.app.output()).not.toContain(secret);
    });
  });
