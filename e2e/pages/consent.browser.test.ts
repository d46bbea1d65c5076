import { expect, test, useServers, type Open } from "../support/test";
import type { Locator, Page } from "@playwright/test";
import { consentCookie } from "@/lib/config/limits";
import { builds } from "../support/servers/builds";
import { tabTo } from "../support/browser/flow-pages";
import { until } from "../support/until";
import { visitorAtStep3 } from "../support/visitor";
import { addCookies, type OpenedPage, type OpenOptions } from "../support/browser/open-page";

const servers = useServers({}, async (servers) => {
  const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox", POST_LOOKUP_IMAGE_HOSTS: undefined };
  const [asking, plain] = await Promise.all([
    // Has a tag manager and both ad slots.
    servers.start({ build: "widened", env }),
    servers.start({ database: 1, env }),
  ]);
  return { asking, plain };
});

const tagManager = `https://www.googletagmanager.com/gtm.js?id=${builds.widened.GTM_ID}`;
const adNetwork = `https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=${builds.widened.ADS_CLIENT}`;
const banner = (page: Page) => page.getByRole("dialog", { name: "Your choice about cookies" });
const settings = (page: Page) => page.getByRole("dialog", { name: "Cookie settings" });

/** Opens a page. Third parties respond with an empty script. `third` lists the requests to them. */
async function openWatched(open: Open, options?: OpenOptions): Promise<OpenedPage & { third: string[] }> {
  const opened = await open(undefined, options);
  const third: string[] = [];
  await opened.context.route(
    (url) => url.hostname !== "localhost",
    async (route) => {
      third.push(route.request().url());
      await route.fulfill({
        contentType: "text/javascript",
        headers: { "access-control-allow-origin": "*" },
        body: "",
      });
    },
  );
  return { ...opened, third };
}

/** The data layer in words: events by their names, consent commands by what they grant. */
function recorded(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (window.dataLayer ?? []).map((entry) => {
      const [command, kind, signals] = Array.from(entry as ArrayLike<unknown>);
      if (command !== "consent") return (entry as { event: string }).event;
      const granted = Object.entries(signals as object).filter(([, value]) => value === "granted");
      return `${String(kind)}: ${granted.map(([name]) => name).join(" ") || "nothing"}`;
    }),
  );
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Waits until the page has recorded an event of that name. */
async function recordedEvent(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => window.dataLayer?.some((entry) => (entry as { event?: string }).event === wanted),
    name,
  );
}

const analyticsSignals = "analytics_storage";
const adSignals = "ad_storage ad_user_data ad_personalization";

test.describe("with a tag manager and ads", () => {
  test("nothing of a third party loads before consent, on any page, and all signals start as denied", async ({
    open,
  }) => {
    const { context, page, third, problems } = await openWatched(open);
    for (const path of ["/", "/faq", "/contact", "/privacy", "/no-such-page"]) {
      await page.goto(servers.asking.url + path);
      await banner(page).waitFor();
      expect((await recorded(page)).slice(0, 2)).toEqual(["default: nothing", "page_view"]);
    }
    expect(third).toEqual([]);
    expect(await context.cookies()).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("accepting loads the tag manager and the ads, here and on the next page, without asking again", async ({
    open,
  }) => {
    const { page, third, problems } = await openWatched(open);
    await page.goto(servers.asking.url);
    await banner(page).getByRole("button", { name: "Accept all" }).click();
    await expectSoon(() => expect([...third].sort()).toEqual([adNetwork, tagManager].sort()));
    expect(await recorded(page)).toEqual([
      "default: nothing",
      "page_view",
      `update: ${analyticsSignals} ${adSignals}`,
      "gtm.js",
    ]);
    const unit = page.locator("ins.adsbygoogle");
    expect(await unit.getAttribute("data-ad-slot")).toBe(builds.widened.ADS_SLOT_TOOL);
    const box = await unit.boundingBox();
    expect([box?.width, box?.height]).toEqual([336, 280]);

    third.length = 0;
    await page.goto(`${servers.asking.url}/faq`);
    await expectSoon(() => expect(third).toEqual([tagManager]));
    expect(await banner(page).isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  test("rejecting loads nothing, is remembered, and the slot keeps its labelled place", async ({ open }) => {
    const { context, page, third } = await openWatched(open);
    await page.goto(servers.asking.url);
    await banner(page).getByRole("button", { name: "Reject all" }).click();
    await banner(page).waitFor({ state: "hidden" });
    await page.reload({ waitUntil: "networkidle" });
    expect(await banner(page).isVisible()).toBe(false);
    expect(third).toEqual([]);
    expect(await recorded(page)).toEqual(["default: nothing", "page_view", "update: nothing"]);
    await page.locator("[data-ad-slot]").getByText("Advertisement").waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: consentCookie.name, sameSite: "Lax" });
    const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400;
    expect(Math.round(days)).toBe(consentCookie.days);
  });

  test("the header's advertisement is under the steps on a wide screen, and below the buttons on a phone", async ({
    open,
  }) => {
    const visitor = await visitorAtStep3(servers.asking.url);
    const boxOf = async (locator: Locator) => {
      const { x, y, width, height } = (await locator.boundingBox()) ?? {
        x: NaN,
        y: NaN,
        width: NaN,
        height: NaN,
      };
      return { left: x, top: y, right: x + width, bottom: y + height };
    };
    const measure = async (viewport: { width: number; height: number }) => {
      const { page } = await openWatched(open, { viewport });
      await addCookies(page.context(), servers.asking.url, visitor);
      await page.goto(`${servers.asking.url}/get-likes/`);
      const send = page.getByRole("button", { name: "Send 50 Free Likes" });
      await send.waitFor();
      const places = [page.locator("[data-ad-slot]"), page.getByRole("list", { name: "Steps" }), send];
      return Promise.all(places.map(boxOf)) as Promise<[Box, Box, Box]>;
    };
    const [ad, steps, button] = await measure({ width: 1280, height: 800 });
    expect(ad.top).toBeGreaterThanOrEqual(steps.bottom);
    expect(ad.top).toBeLessThan(steps.bottom + 80);
    // Beside what it must not push out of sight.
    expect(ad.left).toBeGreaterThanOrEqual(button.right);
    const [onPhone, , buttonOnPhone] = await measure({ width: 360, height: 640 });
    expect(onPhone.top).toBeGreaterThanOrEqual(buttonOnPhone.bottom);
  });

  test("one purpose can be chosen alone, and withdrawn at the foot of the page", async ({ open }) => {
    const { page, third } = await openWatched(open);
    await page.goto(servers.asking.url);
    await banner(page).getByRole("button", { name: "Choose" }).click();
    // With the keyboard: the dialog still slides in, and its check boxes are drawn by what lies over them.
    const statistics = settings(page).getByRole("checkbox", { name: "Statistics" });
    // The library takes the focus to the dialog a moment after it is there, and may take it from the check box.
    await until("it is chosen", async () => {
      if (!(await statistics.isChecked())) await statistics.press("Space");
      return statistics.isChecked();
    });
    await settings(page).getByRole("button", { name: "Save my choice" }).click();
    await expectSoon(() => expect(third).toEqual([tagManager]));
    expect(await recorded(page)).toContain(`update: ${analyticsSignals}`);

    await page.goto(`${servers.asking.url}/faq`);
    await expectSoon(() => expect(third).toHaveLength(2));
    third.length = 0;
    await page.getByRole("button", { name: "Cookie settings" }).click();
    const reloaded = page.waitForEvent("load");
    await settings(page).getByRole("button", { name: "Reject all" }).click();
    await reloaded;
    await page.waitForLoadState("networkidle");
    expect(await recorded(page)).toEqual(["default: nothing", "page_view", "update: nothing"]);
    expect(third).toEqual([]);
  });

  test("the dialogs can be used with the keyboard", async ({ open }) => {
    const { page } = await openWatched(open, { viewport: { width: 320, height: 640 } });
    await page.goto(`${servers.asking.url}/faq`);
    await banner(page).waitFor();
    await tabTo(page, "button", "Choose");
    await page.keyboard.press("Enter");
    await settings(page).waitFor();
    await page.keyboard.press("Escape");
    await settings(page).waitFor({ state: "hidden" });
    await tabTo(page, "button", "Reject all");
    await page.keyboard.press("Enter");
    await banner(page).waitFor({ state: "hidden" });
  });

  test("page views name no post, and the success page's buttons are recorded", async ({ open }) => {
    // With a navigation that never ends, the window is of no further use.
    const { context, page } = await openWatched(open);
    const visitor = await visitorAtStep3(servers.asking.url);
    await addCookies(page.context(), servers.asking.url, visitor);
    await page.goto(`${servers.asking.url}/preview/Cxyz123abc_?from=url-entry`);
    await banner(page).waitFor();
    const [view] = await page.evaluate(() =>
      (window.dataLayer ?? []).filter((entry) => (entry as { event?: string }).event === "page_view"),
    );
    expect(view).toMatchObject({ page_path: "/preview" });

    await visitor.like();
    await addCookies(page.context(), servers.asking.url, visitor);
    // The links lead home, where a new record would begin. Answered without content, the page stays.
    await context.route(`${servers.asking.url}/`, (route) => route.fulfill({ status: 204 }));
    for (const [link, event] of [
      ["Boost Another Post", "boost_another_post"],
      ["Go to Home", "go_to_home"],
    ] as const) {
      await page.goto(`${servers.asking.url}/success/`);
      await recordedEvent(page, "likes_success_view");
      await page.getByRole("link", { name: link }).click();
      await recordedEvent(page, event);
    }
  });
});

test.describe("with none of them", () => {
  test("there is no dialog, no consent script, no cookie, no way to settings, and no empty advertising box", async ({
    open,
  }) => {
    const { context, page, third } = await openWatched(open);
    await page.goto(servers.plain.url, { waitUntil: "networkidle" });
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Cookie settings" }).count()).toBe(0);
    expect(await page.locator('script[src*="consent"]').count()).toBe(0);
    expect(await context.cookies()).toEqual([]);
    expect(third).toEqual([]);
    expect(await page.locator("[data-ad-slot]").count()).toBe(0);
    expect(await page.getByText("Advertisement", { exact: true }).count()).toBe(0);
  });
});

/** Tries for five seconds until it no longer throws. */
async function expectSoon(check: () => void): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      return check();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  check();
}
