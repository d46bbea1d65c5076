import type { Locator } from "@playwright/test";
import { startScreens, type ScreenFixture } from "@/testing/browser/screen-fixture";
import { postLink } from "@/testing/sample-posts";
import { expect, test } from "@/testing/test";
import { openScreen } from "./screens";

/* The layout of a page when its state changes. Unit tests of the components check the changes themselves. */

const phone = { width: 360, height: 640 };
let fixture: ScreenFixture;

test.beforeAll(async () => {
  fixture = await startScreens({ viewport: phone });
});
test.beforeEach(({ open }) => fixture.openWith(open));
test.afterEach(() => fixture.clear());
test.afterAll(() => fixture?.stop());

const boxOf = async (element: Locator) => (await element.boundingBox())!;

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
  await page.getByRole("textbox").fill(postLink);
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
