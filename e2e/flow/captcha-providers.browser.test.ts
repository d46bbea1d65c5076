import type { Page } from "playwright-core";
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
import { useRig } from "../support/rig";
import { postLink } from "../support/sample-posts";
import { refusal, startSiteverify } from "../support/servers/siteverify-server";
import { Visitor } from "../support/visitor";
import type { Opening } from "../support/browser/windows";

const secret = "secret-of-the-captcha";
const unavailable = "Unable to load verification. Please refresh the page.";

describe.each([
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
])("$provider", ({ provider, build, live, scriptSite, height }) => {
  const rig = useRig({ browser: true }, async (rig) => {
    const siteverify = await rig.keep(startSiteverify({ provider, secret }));
    const env = {
      POST_LOOKUP: "sandbox",
      CAPTCHA_PROVIDER: provider,
      CAPTCHA_SITE_KEY: "site-key-of-the-tests",
      CAPTCHA_SECRET_KEY: secret,
      CAPTCHA_VERIFY_URL: siteverify.url,
    };
    return { siteverify, app: await rig.start({ build, live, env }) };
  });
  beforeEach(() => rig.siteverify.respond("verify"));

  async function open(options: Opening = {}, delivery?: Parameters<typeof serveProvider>[3]) {
    // What the provider's stand-in adds to the page stays in it.
    const window = await rig.open(undefined, { once: true, ...options });
    const widget = await serveProvider(window.page, provider, rig.siteverify, delivery);
    await window.page.goto(rig.app.url);
    return { ...window, widget };
  }

  async function passAndSend(page: Page, widget: ProviderPage): Promise<void> {
    await passCaptcha(page, await widget.checkbox());
    await send(page);
  }

  const send = (page: Page) => page.getByRole("button", { name: "Continue to Next Step" }).click();
  const failed = (page: Page) =>
    captchaOf(page).getByRole("alert").filter({ hasText: unavailable }).waitFor();
  const verified = (page: Page) => page.getByText("Verification complete.");

  it("is asked for nothing before the form is touched, then draws its widget in its place", async () => {
    const { page, problems, widget } = await open();
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

  it("leads from a pasted link to the receipt", async () => {
    const { page, problems, widget } = await open({ clock: true });
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

  it("wants a new check when the token has expired or was rejected", async () => {
    const { page, widget } = await open();
    await pasteLink(page, postLink);
    const box = await widget.checkbox();
    await passCaptcha(page, box);
    await widget.expire();
    await verified(page).waitFor({ state: "detached" });
    expect(await box.isChecked()).toBe(false);
    const dialog = page.getByRole("dialog", { name: "Verification Required" });
    const complete = dialog.getByRole("button", { name: "I'll Complete the Verification" });
    const before = rig.siteverify.requests.length;
    await send(page);
    await complete.click();
    expect(rig.siteverify.requests).toHaveLength(before);

    rig.siteverify.respond({ body: refusal("timeout-or-duplicate") });
    await passAndSend(page, widget);
    await complete.click();
    await dialog.waitFor({ state: "hidden" });
    expect(await box.isChecked()).toBe(false);
    await verified(page).waitFor({ state: "detached" });
    const focused = await page.evaluate(() => document.activeElement?.closest("[role=group]")?.ariaLabel);
    expect(focused).toBe("Human verification");

    rig.siteverify.respond("verify");
    await passAndSend(page, widget);
    await page.waitForURL(/\/verification\/$/);
  });

  it("says so when its script is blocked, takes too long, or gives up later", async () => {
    const blocked = await open({}, "blocked");
    await pasteLink(blocked.page, postLink);
    await failed(blocked.page);
    expect(await axeViolations(blocked.page)).toEqual([]);

    const slow = await open({ clock: true }, "silent");
    await pasteLink(slow.page, postLink);
    await captchaOf(slow.page).getByText("Loading verification...").waitFor();
    await slow.page.waitForFunction(() => document.querySelector("script[src*=onCaptchaScriptLoad]"));
    await slow.page.clock.fastForward(10_100);
    await failed(slow.page);

    const broken = await open();
    await pasteLink(broken.page, postLink);
    await passCaptcha(broken.page, await broken.widget.checkbox());
    await broken.widget.fail("110200");
    await failed(broken.page);
  });

  it("is dark with the page, and compact on the narrowest screens only", async () => {
    for (const [width, size] of [
      [320, provider === "recaptcha" ? "normal" : "flexible"],
      [300, "compact"],
    ] as const) {
      const { page, widget } = await open({ viewport: { width, height: 640 }, colorScheme: "dark" });
      await pasteLink(page, postLink);
      await (await widget.checkbox()).waitFor();
      expect(await widget.options()).toMatchObject({ theme: "dark", size });
      expect(await fitsWidth(page)).toBe(true);
      const [left, right] = await drawnEdges(page);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
    }
  });

  it("answers 503 within two seconds while the provider does not, and 403 to another site's token", async () => {
    const visitor = new Visitor(rig.app.url);
    const verify = (token: string) => visitor.post("/api/recaptcha/verify", { token, url: postLink });
    rig.siteverify.respond("hang");
    const start = performance.now();
    const answer = await verify("a-token");
    expect(inTime((performance.now() - start) / 1_000)).toBe(true);
    expect([answer.status, answer.body.code]).toEqual([503, "captcha_unavailable"]);
    expect(answer.headers.get("retry-after")).toBe("10");

    rig.siteverify.respond("verify");
    const foreign = await verify(rig.siteverify.issue({ hostname: "evil.example.com" }));
    expect([foreign.status, foreign.body.code]).toEqual([403, "captcha_rejected"]);
    const token = rig.siteverify.issue();
    expect((await verify(token)).status).toBe(200);
    expect((await verify(token)).status).toBe(403);
    // What a provider forgets, the product still knows.
    rig.siteverify.respond({ body: { success: true, hostname: "localhost", action: "verify" } });
    expect((await verify(token)).status).toBe(403);
    expect((await visitor.get("/api/recaptcha/challenge")).status).toBe(404);
    expect(rig.app.output()).toContain("captcha: no answer in time");
    expect(rig.app.output()).not.toContain(secret);
    expect(rig.app.output()).not.toContain(token);
  });
});

/** Left and right edge of the provider's frame. */
async function drawnEdges(page: Page): Promise<[number, number]> {
  const frame = await page.frame({ name: "captcha" })?.frameElement();
  const box = await frame?.boundingBox();
  return [box?.x ?? NaN, (box?.x ?? NaN) + (box?.width ?? NaN)];
}
