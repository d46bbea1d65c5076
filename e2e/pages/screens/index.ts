import { expect, type Locator, type Page } from "@playwright/test";
import type { ScreenFixture } from "@/testing/browser/screen-fixture";
import { readVisible } from "@/testing/browser/visible";
import { contentScreens, siteScreens } from "./content";
import { formScreens } from "./forms";
import type { ScreenSpec } from "./screen";
import { homeScreens, verificationScreens } from "./steps-1-and-2";
import { getLikesScreens, previewScreens } from "./steps-3-and-4";

/**
 * Every screen in every state. screens.browser.test.ts checks the texts, and `npm run shots` takes the pictures.
 *
 * These texts have other tests:
 * - "No post selected": components/flow/hooks/use-request-step.test.tsx.
 * - "Required" and "Invalid input", which only the API sends: lib/schemas/forms.test.ts.
 */
const specs = {
  ...siteScreens,
  ...homeScreens,
  ...verificationScreens,
  ...getLikesScreens,
  ...previewScreens,
  ...formScreens,
  ...contentScreens,
};

export type Screen = keyof typeof specs;

export const screens: Readonly<Record<Screen, ScreenSpec>> = specs;
export const screenNames = Object.keys(specs) as Screen[];

/** Opens a screen, and waits until it shows what its row says. */
export async function openScreen(fixture: ScreenFixture, name: Screen): Promise<Page> {
  const { open, title = "", failed = false, says = [], icons = [], links = {}, choices = {} } = screens[name];
  const opened = await open(fixture);
  const [page, root] = "goto" in opened ? [opened, opened.locator("body")] : [opened.page(), opened];
  await expect(async () => {
    expect(await root.count()).toBe(1);
    const { text, links: shownLinks } = await readVisible(root);
    expect(says.filter((string) => !text.includes(string))).toEqual([]);
    expect(await page.title()).toContain(title);
    const failedSteps = root.locator('[aria-current="step"]', { hasText: "Failed:" });
    expect((await failedSteps.count()) > 0).toBe(failed);
    expect(shownLinks).toEqual(expect.arrayContaining(Object.entries(links)));
    for (const icon of icons)
      expect(await root.getByRole("button", { name: icon, exact: true, disabled: true }).count()).not.toBe(0);
    for (const [field, options] of Object.entries(choices))
      expect(await readChoices(root, field)).toEqual(options);
  }).toPass({ intervals: [50, 100, 150], timeout: 15_000 });
  return page;
}

/** Returns the choices of a select element or of radio buttons, as "value: text". */
function readChoices(root: Locator, field: string): Promise<string[]> {
  return root
    .locator(`select[name="${field}"] option, input[name="${field}"]`)
    .evaluateAll((elements) =>
      (elements as (HTMLOptionElement | HTMLInputElement)[])
        .filter(({ value }) => value !== "")
        .map((element) => `${element.value}: ${(element.closest("label") ?? element).textContent}`),
    );
}
