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

test("home replaces its form by a panel while no likes are left, and then shows the form with its link again", async () => {
  const page = await fixture.open("/", { clock: true });
  await pasteLink(page, postLink);
  await page.getByRole("progressbar", { name: "Today's free likes left" }).waitFor();
  for (const [likes, panels] of [
    [100_000, 1],
    [0, 0],
  ] as const) {
    await fixture.chargeLikes(likes);
    // The page requests the usage every half minute.
    await page.clock.runFor(31_000);
    await expect(page.getByRole("heading", { name: "Daily Limit Reached" })).toHaveCount(panels);
    await expect(page.getByRole("textbox")).toHaveCount(1 - panels);
  }
  await expect(page.getByRole("textbox")).toHaveValue(postLink);
});
