import { expect, test } from "../support/test";
import type { Locator, Page } from "@playwright/test";
import { faqGroups } from "@/lib/content/faq";
import { pages } from "@/lib/http/pages";
import { axeViolations, fitsWidth } from "../support/browser/flow-pages";
import { answer, chooseTab, goToScreen, onlyNarrow, onlyWide } from "../support/browser/screens";
import { ScreenFixture, type Place } from "../support/browser/screen-fixture";
import { readVisible } from "../support/browser/visible";
import { words, type Screen, type ScreenWords } from "./screen-texts";

const phone = { width: 320, height: 640 };
const desktop = { width: 1280, height: 800 };

// The screens take several minutes, so all workers share them.
test.describe.configure({ mode: "parallel" });

let fixture: ScreenFixture;

test.beforeAll(async ({ browser }) => {
  // Without a graphics card, what moves costs time.
  fixture = await ScreenFixture.start(browser, { viewport: phone, reducedMotion: "reduce" });
});
test.afterEach(() => fixture.clear());
test.afterAll(() => fixture?.stop());

/** Screens on which header and footer are looked at as well: they are the same on all. */
const framed: ReadonlySet<Screen> = new Set([
  "header",
  "header: Support submenu",
  "header: mobile menu",
  "footer",
  "home",
  "not found",
]);

/** Screens where something breaks in the page itself. */
const breaking: ReadonlySet<Screen> = new Set(["broken page"]);

for (const name of Object.keys(words) as Screen[])
  test(name, async () => {
    const place = await goToScreen(fixture, name);
    let missing: string[] = [];
    for (
      const end = Date.now() + 15_000;
      Date.now() < end;
      await new Promise((wait) => setTimeout(wait, 150))
    ) {
      missing = await findMissing(words[name], place);
      if (missing.length === 0) break;
    }
    expect(missing).toEqual([]);

    await expectSound(place.page, name);
    if (!breaking.has(name)) expect(fixture.problems()).toEqual([]);
  });

test("has a screen for every page", () => {
  const names = new Set(Object.keys(words).map((screen) => screen.split(": ")[0]));
  // Shown in place of other pages.
  const { startOver, failure, ...own } = pages;
  expect([startOver.guard, failure.guard]).toEqual(["internal", "internal"]);
  const paths = Object.values(own).map(({ path }) => path.slice(1) || "home");
  expect(paths.filter((path) => !names.has(path))).toEqual([]);
});

/**
 * Free of axe's findings, and nothing sticks out: on a narrow phone in light colours and on a desktop in dark ones. What
 * another size or scheme can change is where things stand and what colours they have, which the styles of the elements
 * say: that is looked at where a screen has styles that none before had.
 */
async function expectSound(page: Page, name: Screen): Promise<void> {
  await openAnswers(page);
  const exclude = framed.has(name) ? [] : ["#site-header", "#site-footer"];
  expect(await axeViolations(page, { exclude })).toEqual([]);
  expect(await fitsWidth(page)).toBe(true);
  await page.emulateMedia({ colorScheme: "dark" });
  if (!onlyNarrow.has(name) && !onlyWide.has(name)) await page.setViewportSize(desktop);
  expect(await fitsWidth(page)).toBe(true);
  if (!(await hasNewStyles(page))) return;
  expect(await axeViolations(page, { rules: ["color-contrast", "target-size"], exclude })).toEqual([]);
}

/** Each element's classes and tag, with those of what it stands in. */
const styles = new Set<string>();

async function hasNewStyles(page: Page): Promise<boolean> {
  const found = await page.evaluate(() => {
    const nameOf = ({ tagName, classList }: Element) => `${tagName} ${classList.value}`;
    return [...document.body.querySelectorAll("*")].map(
      (element) => `${nameOf(element.parentElement ?? element)} > ${nameOf(element)}`,
    );
  });
  const before = styles.size;
  for (const style of found) styles.add(style);
  return styles.size > before;
}

/** What is folded has to be sound as well. */
async function openAnswers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const lists = document.querySelectorAll("details");
    // Of those with one name, only one can be open.
    for (const list of lists) list.removeAttribute("name");
    for (const list of lists) list.open = true;
  });
}

/** The words that are not where they should be, each with what it should be. */
async function findMissing(expected: ScreenWords, { page, root }: Place): Promise<string[]> {
  const { title = "", failed = false, says = [], icons = [], links = {}, choices = {} } = expected;
  if ((await root.count()) === 0) return ["the screen itself"];
  const { text, links: shown } = await readVisible(root);
  const missing = says.filter((string) => !text.includes(string)).map((string) => `says: ${string}`);
  if (!(await page.title()).includes(title)) missing.push(`title: ${title}`);
  const marks = await root.locator('[aria-current="step"]', { hasText: "Failed:" }).count();
  if (marks > 0 !== failed) missing.push(failed ? "the step's mark as failed" : "a step that is not failed");
  for (const [label, href] of Object.entries(links)) {
    if (!shown.some((link) => link[0] === label && link[1] === href))
      missing.push(`link: ${label} to ${href}`);
  }
  for (const icon of icons) {
    const found = root.getByRole("button", { name: icon, exact: true, disabled: true });
    if (!(await found.first().isVisible())) missing.push(`icon: ${icon}`);
  }
  for (const [field, options] of Object.entries(choices)) {
    const offered = await readChoices(root, field);
    if (JSON.stringify(offered) !== JSON.stringify(options)) {
      missing.push(`choices of ${field}: ${JSON.stringify(options)} instead of ${JSON.stringify(offered)}`);
    }
  }
  return missing;
}

/** Value -> words of a list or of radio buttons. */
function readChoices(root: Locator, field: string): Promise<Record<string, string>> {
  return root
    .locator(`select[name="${field}"] option, input[name="${field}"]`)
    .evaluateAll((elements) =>
      Object.fromEntries(
        (elements as (HTMLOptionElement | HTMLInputElement)[])
          .filter(({ value }) => value !== "")
          .map((element) => [element.value, (element.closest("label") ?? element).textContent ?? ""]),
      ),
    );
}

test("shows each of the 20 questions in its part of the Help Center", async () => {
  const page = await fixture.open("/faq");
  const parts = faqGroups.map(({ title, questions }) => [title, questions.length]);
  expect(parts).toEqual([
    ["About the Service", 5],
    ["Technical Questions", 5],
    ["Limits & Restrictions", 5],
    ["Safety & Privacy", 5],
  ]);
  for (const { title, questions } of faqGroups) {
    await chooseTab(page, title);
    for (const { question, answer: paragraphs } of questions) {
      await answer(page, question);
      await page.getByText(paragraphs[0] ?? "", { exact: true }).waitFor();
    }
  }
});
