import type { Locator } from "@playwright/test";
import { goodInput } from "@/testing/good-input";
import { captchaOf, passCaptcha, pasteLink } from "@/testing/browser/flow-pages";
import { fillInForm, pressSend } from "@/testing/browser/form-pages";
import { startScreens, type ScreenFixture } from "@/testing/browser/screen-fixture";
import { postLink } from "@/testing/sample-posts";
import { expect, test } from "@/testing/test";
import { openScreen } from "./screens";

/* The layout of a page when its state changes. Unit tests of the components check the changes themselves. */

const phone = { width: 360, height: 640 };
let fixture: ScreenFixture;

test.beforeAll(async ({ browser }) => {
  fixture = await startScreens(browser, { viewport: phone, reducedMotion: "reduce" });
});
test.afterEach(() => fixture.clear());
test.afterAll(() => fixture?.stop());

const boxOf = async (element: Locator) => (await element.boundingBox())!;

test("shows the error of a form at its button, then the confirmation in view, then an empty form", async () => {
  const page = await fixture.open("/contact/");
  await fillInForm(page, goodInput.contact);
  await passCaptcha(page);
  await page.context().setOffline(true);
  await pressSend(page, "contact");
  const text = "Your browser is offline. Check your connection and try again.";
  const message = page.locator("form [data-message]", { hasText: text });
  await message.waitFor();
  const [button, box] = [await boxOf(page.locator("form [type=submit]")), await boxOf(message)];
  expect(box.y - (button.y + button.height)).toBeLessThan(30);
  expect(box.y + box.height).toBeLessThan(phone.height);

  await page.context().setOffline(false);
  await pressSend(page, "contact");
  const confirmation = page.getByRole("heading", { name: "We have your message" });
  await expect(confirmation).toBeFocused();
  await expect(confirmation).toBeInViewport();

  await page.getByRole("button", { name: "Send another" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(page.getByText("What you wrote is still here.")).toHaveCount(0);
  await expect(captchaOf(page).getByRole("checkbox")).not.toBeChecked();
});

for (const name of ["home: sent offline", "preview: refused", "contact: failed", "contact: sent"] as const)
  test(`${name}: the toast covers no button of the page and no message`, async () => {
    const page = await openScreen(fixture, name);
    const toast = await boxOf(page.locator("[data-swipe-direction]"));
    for (const element of await page
      .locator("main :is(button, [data-message]):not([data-swipe-direction] *)")
      .all()) {
      const { y, height } = await boxOf(element);
      if (y + height > 0) expect(y, await element.innerText()).toBeGreaterThanOrEqual(toast.y + toast.height);
    }
  });

test("replaces the form by a panel of the same size while no likes are left, and keeps the link", async () => {
  const page = await fixture.open("/", { clock: true });
  await pasteLink(page, postLink);
  await captchaOf(page).getByRole("checkbox").waitFor();
  await page.getByRole("progressbar", { name: "Today's free likes left" }).waitFor();
  const before = await boxOf(page.locator("form"));
  const controls = [
    page.getByRole("textbox"),
    page.getByRole("button", { name: "Continue to Next Step" }),
    captchaOf(page),
  ];

  /** The page requests the usage every half minute. */
  const pollUsage = () => page.clock.runFor(31_000);
  await fixture.chargeLikes(100_000);
  await pollUsage();
  const panel = page.getByRole("heading", { name: "Daily Limit Reached" });
  await expect(panel).toBeVisible();
  for (const control of controls) await expect(control).toHaveCount(0);
  await expect(page.getByText("Available again in: ")).toHaveCount(1);
  expect(await boxOf(page.locator("form"))).toEqual(before);

  await fixture.chargeLikes(0);
  await pollUsage();
  await expect(page.getByRole("textbox")).toHaveValue(postLink);
  await expect(panel).toHaveCount(0);
});

test("the placeholder of the captcha has the size of the captcha, and its checkbox the same place", async () => {
  const page = await fixture.open("/");
  const captcha = captchaOf(page);
  await page.getByRole("button", { name: "Paste" }).waitFor();
  const before = [await boxOf(captcha), await boxOf(captcha.locator("span").first())] as const;
  await page.getByRole("textbox").focus();
  const checkbox = await boxOf(captcha.getByRole("checkbox"));
  expect(await boxOf(captcha)).toEqual(before[0]);
  for (const side of ["x", "y", "width", "height"] as const) {
    expect(Math.abs(checkbox[side] - before[1][side])).toBeLessThanOrEqual(2);
  }
});
