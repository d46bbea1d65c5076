import type { Locator, Page } from "@playwright/test";
import { consentCookie } from "@/lib/config/limits";
import { tabTo } from "@/testing/browser/flow-pages";
import { addCookies, type OpenOptions } from "@/testing/browser/open-page";
import { builds, consentSite } from "@/testing/servers/builds";
import { expect, test, useServers, type Open } from "@/testing/test";
import { visitorAtStep3 } from "@/testing/visitor";

const site = useServers(consentSite);
const plain = useServers();

const tagManager = `https://www.googletagmanager.com/gtm.js?id=${builds.widened.GTM_ID}`;
const adNetwork = `https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=${builds.widened.ADS_CLIENT}`;
const analyticsSignals = "analytics_storage";
const adSignals = "ad_storage ad_user_data ad_personalization";
const banner = (page: Page) => page.getByRole("region", { name: "Your choice about cookies" });
const settings = (page: Page) => page.getByRole("dialog", { name: "Cookie settings" });
const press = (dialog: Locator, name: string) => dialog.getByRole("button", { name }).click();

/** Opens a page of the site that asks for consent. Other sites respond with an empty script. `third` lists the requests to them. */
async function openPage(
  open: Open,
  path = "/",
  { url = site.app.url, ...options }: OpenOptions & { url?: string } = {},
) {
  const third: string[] = [];
  const prepare = (page: Page) =>
    page.context().route(
      ({ hostname }) => hostname !== "localhost",
      async (route) => {
        third.push(route.request().url());
        const headers = { "access-control-allow-origin": "*" };
        await route.fulfill({ contentType: "text/javascript", headers, body: "" });
      },
    );
  return { ...(await open(url + path, { prepare, ...options })), third };
}

/** Returns the data layer as lines: the names of events, and the granted signals of consent commands. */
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

test.describe("with a tag manager and ads", () => {
  test("loads nothing from other sites before consent, on any page, and denies all signals by default", async ({
    open,
  }) => {
    const { context, page, third, problems } = await openPage(open);
    for (const path of ["/", "/faq", "/contact", "/privacy", "/no-such-page"]) {
      await page.goto(site.app.url + path);
      await banner(page).waitFor();
      expect((await recorded(page)).slice(0, 2)).toEqual(["default: nothing", "page_view"]);
    }
    expect(third).toEqual([]);
    expect(await context.cookies()).toEqual([]);
    expect(problems).toEqual([expect.stringContaining("status of 404")]);
  });

  test("loads the tag manager and the ads after consent, also on the next page, and asks only once", async ({
    open,
  }) => {
    const { page, third, problems } = await openPage(open);
    await press(banner(page), "Accept all");
    await expect.poll(() => third.toSorted()).toEqual([adNetwork, tagManager].sort());
    expect(await recorded(page)).toEqual([
      "default: nothing",
      "page_view",
      `update: ${analyticsSignals} ${adSignals}`,
      "gtm.js",
    ]);
    const ad = page.locator("ins.adsbygoogle");
    await expect(ad).toHaveAttribute("data-ad-slot", builds.widened.ADS_SLOT_TOOL);
    expect(await ad.boundingBox()).toMatchObject({ width: 336, height: 280 });

    third.length = 0;
    await page.goto(`${site.app.url}/faq`);
    await expect.poll(() => third).toEqual([tagManager]);
    await expect(banner(page)).toBeHidden();
    expect(problems).toEqual([]);
  });

  test("loads nothing after a rejection, stores it, and removes the ad slot", async ({ open }) => {
    const { context, page, third } = await openPage(open);
    await press(banner(page), "Reject all");
    await expect(banner(page)).toBeHidden();
    await page.reload({ waitUntil: "networkidle" });
    await expect(banner(page)).toBeHidden();
    expect(third).toEqual([]);
    expect(await recorded(page)).toEqual(["default: nothing", "update: nothing", "page_view"]);
    await expect(page.locator("[data-ad-unit]")).toBeHidden();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: consentCookie.name, sameSite: "Lax" });
    const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400;
    expect(Math.round(days)).toBe(consentCookie.days);
  });

  test("ads.txt names the publisher", async () => {
    const response = await fetch(`${site.app.url}/ads.txt`);
    expect(await response.text()).toBe("google.com, pub-1234567890123456, DIRECT, f08c47fec0942fa0\n");
  });

  test("shows the ad below the buttons, on a wide screen beside them", async ({ open }) => {
    const visitor = await visitorAtStep3(site.app.url);
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 640 },
    ]) {
      const { page } = await openPage(open, "/get-likes/", { as: visitor, viewport });
      const send = (await page.getByRole("button", { name: "Send 50 Free Likes" }).boundingBox())!;
      const ad = (await page.locator("[data-ad-slot]").boundingBox())!;
      if (viewport.width === 360) expect(ad.y).toBeGreaterThanOrEqual(send.y + send.height);
      else expect(ad.x).toBeGreaterThanOrEqual(send.x + send.width);
    }
  });

  test("describes each purpose, accepts consent for one, and its withdrawal in the footer", async ({
    open,
  }) => {
    const { page, third } = await openPage(open);
    await press(banner(page), "Choose");
    for (const [name, text] of [
      ["Necessary", "The cookies that the tool needs"],
      ["Statistics", "Show us which pages are opened"],
      ["Advertising", "Lets the advertising network show ads here"],
    ] as const) {
      await expect(settings(page).getByText(text)).toBeVisible();
      const choice = settings(page).getByRole("checkbox", { name });
      await expect(choice).toHaveAccessibleDescription(new RegExp(text));
    }
    // The consent library moves the focus after it opens the dialog, so the first key press can be lost.
    const statistics = settings(page).getByRole("checkbox", { name: "Statistics" });
    await expect(async () => {
      if (!(await statistics.isChecked())) await statistics.press("Space");
      expect(await statistics.isChecked()).toBe(true);
    }).toPass();
    await press(settings(page), "Save my choice");
    await expect.poll(() => third).toEqual([tagManager]);
    expect(await recorded(page)).toContain(`update: ${analyticsSignals}`);

    await page.goto(`${site.app.url}/faq`);
    await expect.poll(() => third).toHaveLength(2);
    third.length = 0;
    await page.getByRole("button", { name: "Cookie settings" }).click();
    const reloaded = page.waitForEvent("load");
    await press(settings(page), "Reject all");
    await reloaded;
    await page.waitForLoadState("networkidle");
    expect(await recorded(page)).toEqual(["default: nothing", "update: nothing", "page_view"]);
    expect(third).toEqual([]);
  });

  test("asks in a styled region that takes no focus, does not scroll, and that needs no mouse", async ({
    open,
  }) => {
    const { page } = await open();
    // The script arrives while the visitor types.
    let resume = (): void => undefined;
    await page.route("**/consent-*.js", async (route) => {
      await new Promise<void>((resolve) => (resume = resolve));
      await route.continue();
    });
    await page.goto(site.app.url, { waitUntil: "commit" });
    // Without the styles, the field is far below, and the focus scrolls to it.
    await expect(page.locator("body")).toHaveCSS("display", "flex");
    const field = page.getByLabel("Link of your Instagram post or reel");
    await field.focus();
    resume();
    await banner(page).waitFor();
    await expect(banner(page)).not.toHaveAttribute("aria-modal");
    await expect(banner(page).locator("button").first()).toHaveCSS("border-top-style", "solid");
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expect(banner(page)).toHaveCSS("opacity", "1");
    await page.waitForTimeout(600);
    await expect(field).toBeFocused();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await tabTo(page, "button", "Choose");
    await page.keyboard.press("Enter");
    await expect(settings(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(settings(page)).toBeHidden();
    await tabTo(page, "textbox", "Link of your Instagram post or reel");
    await tabTo(page, "button", "Reject all");
    await page.keyboard.press("Enter");
    await expect(banner(page)).toBeHidden();
  });

  test("records page views without the post, and the links of the success page", async ({ open }) => {
    const visitor = await visitorAtStep3(site.app.url);
    const { context, page } = await openPage(open, "/preview/Cxyz123abc_?from=url-entry", { as: visitor });
    await banner(page).waitFor();
    const view = await page.evaluate(() =>
      (window.dataLayer ?? []).find((entry) => (entry as { event?: string }).event === "page_view"),
    );
    expect(view).toMatchObject({ page_path: "/preview" });

    await visitor.like();
    await addCookies(context, site.app.url, visitor);
    // After a response with status 204, the browser stays on the page, and keeps its data layer.
    await context.route(`${site.app.url}/`, (route) => route.fulfill({ status: 204 }));
    for (const [link, event] of [
      ["Boost Another Post", "boost_another_post"],
      ["Go to Home", "go_to_home"],
    ] as const) {
      await page.goto(`${site.app.url}/success/`);
      await expect.poll(() => recorded(page)).toContain("likes_success_view");
      await page.getByRole("link", { name: link }).click();
      await expect.poll(() => recorded(page)).toContain(event);
    }
  });
});

test("without tag manager and ads, has no dialog, consent script, cookie, settings button or ad slot", async ({
  open,
}) => {
  const { context, page, third } = await openPage(open, "/", { url: plain.app.url });
  await page.waitForLoadState("networkidle");
  for (const absent of [
    page.getByRole("dialog"),
    page.getByRole("button", { name: "Cookie settings" }),
    page.locator('script[src*="consent"]'),
    page.locator("[data-ad-slot]"),
    page.getByText("Advertisement", { exact: true }),
  ])
    await expect(absent).toHaveCount(0);
  expect(await context.cookies()).toEqual([]);
  expect(third).toEqual([]);
});
