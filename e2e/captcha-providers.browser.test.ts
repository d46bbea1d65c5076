import type { Browser, Page } from "playwright-core";
import { startApp, type AppServer } from "./support/app-server";
import { launchBrowser } from "./support/browser";
import {
  axeViolations,
  captchaOf,
  continueToGetLikes,
  fitsWidth,
  newWindow,
  passCaptcha,
  pasteLink,
  skipProgress,
  type VisitOptions,
} from "./support/flow-pages";
import { inTime } from "./support/in-time";
import { serveProvider, type ProviderPage } from "./support/provider-script";
import { startRedis, type RedisServer } from "./support/redis-server";
import { refusal, startSiteverify, type SiteverifyServer } from "./support/siteverify-server";
import { newAddress, Visitor } from "./support/visitor";
import { startReceiver, type WebhookReceiver } from "./support/webhook-receiver";

const postLink = "https://www.instagram.com/p/Cxyz123abc_/";
const secret = "secret-of-the-captcha";
const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const unavailable = "Unable to load verification. Please refresh the page.";

let redis: RedisServer;
let receiver: WebhookReceiver;
let browser: Browser;

beforeAll(async () => {
  redis = await startRedis();
  receiver = await startReceiver({ secret: webhookSecret });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await receiver?.stop();
  await redis?.stop();
});

describe.each([
  {
    provider: "recaptcha" as const,
    database: 0,
    build: "widened" as const,
    env: {},
    scriptSite: "https://www.google.com/recaptcha/",
    height: 78,
  },
  {
    provider: "turnstile" as const,
    database: 1,
    build: "live" as const,
    env: {
      LIKE_DELIVERY: "webhook",
      LIKE_DELIVERY_ACKNOWLEDGED: "yes",
      LIKE_WEBHOOK_SECRET: webhookSecret,
    },
    scriptSite: "https://challenges.cloudflare.com/turnstile/",
    height: 65,
  },
])("$provider", ({ provider, database, build, env, scriptSite, height }) => {
  let app: AppServer;
  let siteverify: SiteverifyServer;

  beforeAll(async () => {
    siteverify = await startSiteverify({ provider, secret });
    app = await startApp({
      build,
      redisUrl: `${redis.url}/${database}`,
      env: {
        ...env,
        POST_LOOKUP: "sandbox",
        LIKE_WEBHOOK_URL: receiver.url,
        TRUSTED_IP_HEADER: "x-real-ip",
        BURST_LIMIT_SCALE: "1000",
        CAPTCHA_PROVIDER: provider,
        CAPTCHA_SITE_KEY: "site-key-of-the-tests",
        CAPTCHA_SECRET_KEY: secret,
        CAPTCHA_VERIFY_URL: siteverify.url,
      },
    });
  });
  afterAll(async () => {
    await app?.stop();
    await siteverify?.stop();
  });
  beforeEach(() => siteverify.respond("verify"));

  async function open(options: VisitOptions = {}, delivery?: Parameters<typeof serveProvider>[3]) {
    const window = await newWindow(browser, options);
    const widget = await serveProvider(window.page, provider, siteverify, delivery);
    await window.page.goto(app.url);
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
    const { context, page, problems, widget } = await open();
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
    await context.close();
  });

  it("leads from a pasted link to the receipt", async () => {
    const { context, page, problems } = await newWindow(browser);
    const widget = await serveProvider(page, provider, siteverify);
    await page.clock.install();
    await page.goto(app.url);
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
    await context.close();
  });

  it("wants a new check when the token has expired or was rejected", async () => {
    const { context, page, widget } = await open();
    await pasteLink(page, postLink);
    const box = await widget.checkbox();
    await passCaptcha(page, box);
    await widget.expire();
    await verified(page).waitFor({ state: "detached" });
    expect(await box.isChecked()).toBe(false);
    const dialog = page.getByRole("dialog", { name: "Verification Required" });
    const complete = dialog.getByRole("button", { name: "I'll Complete the Verification" });
    const before = siteverify.requests.length;
    await send(page);
    await complete.click();
    expect(siteverify.requests).toHaveLength(before);

    siteverify.respond({ body: refusal("timeout-or-duplicate") });
    await passAndSend(page, widget);
    await complete.click();
    await dialog.waitFor({ state: "hidden" });
    expect(await box.isChecked()).toBe(false);
    await verified(page).waitFor({ state: "detached" });
    const focused = await page.evaluate(() => document.activeElement?.closest("[role=group]")?.ariaLabel);
    expect(focused).toBe("Human verification");

    siteverify.respond("verify");
    await passAndSend(page, widget);
    await page.waitForURL(/\/verification\/$/);
    await context.close();
  });

  it("says so when its script is blocked, takes too long, or gives up later", async () => {
    const blocked = await open({}, "blocked");
    await pasteLink(blocked.page, postLink);
    await failed(blocked.page);
    expect(await axeViolations(blocked.page)).toEqual([]);
    await blocked.context.close();

    const slow = await newWindow(browser);
    await serveProvider(slow.page, provider, siteverify, "silent");
    await slow.page.clock.install();
    await slow.page.goto(app.url);
    await pasteLink(slow.page, postLink);
    await captchaOf(slow.page).getByText("Loading verification...").waitFor();
    await slow.page.waitForFunction(() => document.querySelector("script[src*=onCaptchaScriptLoad]"));
    await slow.page.clock.fastForward(10_100);
    await failed(slow.page);
    await slow.context.close();

    const broken = await open();
    await pasteLink(broken.page, postLink);
    await passCaptcha(broken.page, await broken.widget.checkbox());
    await broken.widget.fail("110200");
    await failed(broken.page);
    await broken.context.close();
  });

  it("is dark with the page, and compact on the narrowest screens only", async () => {
    for (const [width, size] of [
      [320, provider === "recaptcha" ? "normal" : "flexible"],
      [300, "compact"],
    ] as const) {
      const { context, page, widget } = await open({ viewport: { width, height: 640 }, colorScheme: "dark" });
      await pasteLink(page, postLink);
      await (await widget.checkbox()).waitFor();
      expect(await widget.options()).toMatchObject({ theme: "dark", size });
      expect(await fitsWidth(page)).toBe(true);
      const [left, right] = await drawnEdges(page);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
      await context.close();
    }
  });

  it("answers 503 within two seconds while the provider does not, and 403 to another site's token", async () => {
    const visitor = new Visitor(app.url, { address: newAddress() });
    const verify = (token: string) => visitor.post("/api/recaptcha/verify", { token, url: postLink });
    siteverify.respond("hang");
    const start = performance.now();
    const answer = await verify("a-token");
    expect(inTime((performance.now() - start) / 1_000)).toBe(true);
    expect([answer.status, answer.body.code]).toEqual([503, "captcha_unavailable"]);
    expect(answer.headers.get("retry-after")).toBe("10");

    siteverify.respond("verify");
    const foreign = await verify(siteverify.issue({ hostname: "evil.example.com" }));
    expect([foreign.status, foreign.body.code]).toEqual([403, "captcha_rejected"]);
    const token = siteverify.issue();
    expect((await verify(token)).status).toBe(200);
    expect((await verify(token)).status).toBe(403);
    // What a provider forgets, the product still knows.
    siteverify.respond({ body: { success: true, hostname: "localhost", action: "verify" } });
    expect((await verify(token)).status).toBe(403);
    expect((await visitor.get("/api/recaptcha/challenge")).status).toBe(404);
    expect(app.output()).toContain("captcha: no answer in time");
    expect(app.output()).not.toContain(secret);
    expect(app.output()).not.toContain(token);
  });
});

/** Left and right edge of the provider's frame. */
async function drawnEdges(page: Page): Promise<[number, number]> {
  const frame = await page.frame({ name: "captcha" })?.frameElement();
  const box = await frame?.boundingBox();
  return [box?.x ?? NaN, (box?.x ?? NaN) + (box?.width ?? NaN)];
}
