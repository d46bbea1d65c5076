import type { Page } from "@playwright/test";
import { pages } from "@/lib/http/pages";
import { axeViolations, fitsWidth } from "@/testing/browser/flow-pages";
import { lostText, spaceText } from "@/testing/browser/layout-checks";
import { startScreens, type ScreenFixture } from "@/testing/browser/screen-fixture";
import { openDisclosures } from "@/testing/browser/visible";
import { expect, test } from "@/testing/test";
import { openScreen, screenNames, screens, type Screen } from "./screens";
import { expectNoShift, moving, respondLate } from "./screens/late-responses";

const phone = { width: 320, height: 640 };
const desktop = { width: 1280, height: 800 };
/** Window for text of double size. */
const largeText = { width: 360, height: 640 };
const isSlowRun = process.env.E2E_WITHOUT_SLOW !== "yes";

// Every worker starts its own servers, and runs a part of the screens.
test.describe.configure({ mode: "parallel" });

let fixture: ScreenFixture;

test.beforeAll(async () => {
  fixture = await startScreens({ viewport: phone, ...(isSlowRun && { prepare: respondLate }) });
});
test.beforeEach(({ open }) => fixture.openWith(open));
test.afterEach(() => fixture.clear());
test.afterAll(() => fixture?.stop());

for (const name of screenNames)
  test(name, async () => {
    const page = await openScreen(fixture, name);
    if (isSlowRun && !moving.test(name)) await expectNoShift(page);
    await expectAccessible(page, name);
    // The page causes an error on purpose. Other screens show failed requests, which the browser also logs.
    const problems = fixture.problems().filter((problem) => !problem.startsWith("Failed to load resource"));
    if (name !== "broken page") expect(problems).toEqual([]);
  });

/**
 * Checks the screen on a phone in light colours, with spaced text, and with text of double size. The phone is 320 pixels wide,
 * like a window of 640 pixels at a zoom of 200 %. Screens with classes that no earlier screen had, and the first of each page,
 * are also checked on a desktop in dark colours, and axe checks them. Without the slow tests, only the first has all checks.
 */
async function expectAccessible(page: Page, name: Screen): Promise<void> {
  await openDisclosures(page);
  expect(await lostReferences(page)).toEqual([]);
  const isFirst = screenNames.find((each) => each.split(":")[0] === name.split(":")[0]) === name;
  if (!isFirst && !isSlowRun) return expectToFit(page);

  const isNewKind = (await hasNewStyles(page)) || isFirst;
  if (isNewKind) expect(await axeViolations(page)).toEqual([]);
  const removeSpacing = await spaceText(page);
  await expectToFit(page);
  await removeSpacing();
  await setTextSize(page, "200%");
  if (screens[name].only !== "wide") await page.setViewportSize(largeText);
  await expectToFit(page);
  await setTextSize(page, "");
  if (!isNewKind) return;

  await page.emulateMedia({ colorScheme: "dark" });
  if (!screens[name].only) await page.setViewportSize(desktop);
  await expectToFit(page);
  if (isNewKind) expect(await axeViolations(page, ["color-contrast", "target-size"])).toEqual([]);
}

/** Returns the ids that an element names as its label, description or popup, and that no element has. */
function lostReferences(page: Page): Promise<string[]> {
  const names = ["aria-labelledby", "aria-describedby", "aria-controls", "for"];
  return page.evaluate(
    (names) =>
      names
        .flatMap((name) =>
          Array.from(document.querySelectorAll(`[${name}]`), (element) => element.getAttribute(name) ?? ""),
        )
        .flatMap((ids) => ids.split(" "))
        .filter((id) => !document.getElementById(id)),
    names,
  );
}

function setTextSize(page: Page, size: string): Promise<void> {
  return page.evaluate((size) => void (document.documentElement.style.fontSize = size), size);
}

async function expectToFit(page: Page): Promise<void> {
  expect([await fitsWidth(page), await lostText(page)]).toEqual([true, []]);
}

/** Tags and classes of the elements and their parents on the screens before. */
const knownStyles = new Set<string>();

async function hasNewStyles(page: Page): Promise<boolean> {
  const styles = await page.evaluate(() => {
    const nameOf = ({ tagName, classList }: Element) => `${tagName} ${classList.value}`;
    return [...document.body.querySelectorAll("*")].map(
      (element) => `${nameOf(element.parentElement ?? element)} > ${nameOf(element)}`,
    );
  });
  const before = knownStyles.size;
  for (const style of styles) knownStyles.add(style);
  return knownStyles.size > before;
}

test("every page has a screen", () => {
  const names = new Set(screenNames.map((screen) => screen.split(": ")[0]));
  // These two pages replace other pages.
  const { startOver, failure, ...own } = pages;
  expect([startOver.guard, failure.guard]).toEqual(["internal", "internal"]);
  const paths = Object.values(own).map(({ path }) => path.slice(1) || "home");
  expect(paths.filter((path) => !names.has(path))).toEqual([]);
});
