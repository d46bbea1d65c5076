import type { ScreenFixture, Place } from "@/testing/browser/screen-fixture";
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

/** Opens a screen. Its texts may not be visible yet. */
export async function goToScreen(fixture: ScreenFixture, name: Screen): Promise<Place> {
  const opened = await screens[name].open(fixture);
  return "goto" in opened
    ? { page: opened, root: opened.locator("body") }
    : { page: opened.page(), root: opened };
}
