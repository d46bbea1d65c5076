import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser } from "../support/browser/browser";
import { contactSheet } from "../support/browser/contact-sheet";
import { goToScreen, onlyNarrow, onlyWide } from "../support/browser/screens";
import { ScreenFixture, type Place } from "../support/browser/screen-fixture";
import { readVisible } from "../support/browser/visible";
import { words, type Screen, type ScreenWords } from "../pages/screen-texts";

/*
 * npm run shots: a picture of every screen and state, on a phone and on a desktop, light and dark, and a page to leaf
 * through them. Words after "--" choose the screens whose names begin with one of them; "--readme" takes the pictures of the
 * README instead, sharp enough for any display.
 */

const folder = join(__dirname, "..", "..", "shots");
const sizes = [
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
];
const schemes = ["light", "dark"] as const;

/** The README's, of what a window shows. */
const forReadme = [
  { file: "home.png", screen: "home", size: { width: 360, height: 640 }, colorScheme: "light" },
  { file: "success.png", screen: "success", size: { width: 360, height: 900 }, colorScheme: "light" },
  {
    file: "cooldown.png",
    screen: "verification: rate limited, half of it over",
    size: { width: 360, height: 720 },
    colorScheme: "dark",
  },
  { file: "home-wide.png", screen: "home", size: { width: 1280, height: 800 }, colorScheme: "dark" },
] as const;

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  if (wanted.includes("--readme")) return takeForReadme();
  const screens = (Object.keys(words) as Screen[]).filter(
    (name) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning)),
  );
  if (wanted.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  const fixture = await ScreenFixture.start(browser, { viewport: { width: 360, height: 640 } });
  const rows: { name: string; files: string[] }[] = [];
  try {
    for (const name of screens) {
      console.log(name);
      rows.push({ name, files: await take(fixture, name) });
      await fixture.clear();
    }
  } finally {
    await fixture.stop();
    await browser.close();
  }
  writeFileSync(join(folder, "index.html"), contactSheet("Every screen and state", rows));
  console.log(`\n${join(folder, "index.html")}`);
}

async function takeForReadme(): Promise<void> {
  mkdirSync(join(folder, "readme"), { recursive: true });
  const browser = await launchBrowser();
  const fixture = await ScreenFixture.start(browser, {
    viewport: { width: 360, height: 640 },
    deviceScaleFactor: 2,
  });
  try {
    for (const { file, screen, size, colorScheme } of forReadme) {
      const { page } = await arrive(fixture, screen);
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, "readme", file), animations: "disabled" });
      await fixture.clear();
    }
  } finally {
    await fixture.stop();
    await browser.close();
  }
}

/** Goes to a screen, and waits until it says what it should. */
async function arrive(fixture: ScreenFixture, name: Screen): Promise<Place> {
  const place = await goToScreen(fixture, name);
  await place.root.waitFor();
  const { says = [] }: ScreenWords = words[name];
  for (const end = Date.now() + 15_000; Date.now() < end; await place.page.waitForTimeout(50)) {
    const { text } = await readVisible(place.root);
    if (says.every((string) => text.includes(string))) return place;
  }
  console.warn(`${name} does not say what it should; npm run test:e2e -- screens tells what is missing.`);
  return place;
}

/** Goes to a screen once, and takes its pictures there; returns the names of their files. */
async function take(fixture: ScreenFixture, name: Screen): Promise<string[]> {
  const { page } = await arrive(fixture, name);
  // Nothing is pointed at: what was pressed last would be drawn so.
  await page.mouse.move(0, 0);
  const files: string[] = [];
  for (const size of sizes) {
    if ((onlyWide.has(name) && size.width < 768) || (onlyNarrow.has(name) && size.width >= 768)) continue;
    await page.setViewportSize(size);
    // What floats over the page, a dialog or a toast, has its place in the window.
    const floats = await page.evaluate(hasFloating);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      const file = `${fileName(name)}.${size.width}.${colorScheme}.png`;
      await page.screenshot({ path: join(folder, file), fullPage: !floats, animations: "disabled" });
      files.push(file);
    }
  }
  return files;
}

/** In the page: whether something is fixed to the window. */
function hasFloating(): boolean {
  return [...document.body.querySelectorAll("*")].some(
    (element) =>
      getComputedStyle(element).position === "fixed" &&
      element.checkVisibility() &&
      element.getBoundingClientRect().height > 40,
  );
}

/** "home: limit reached" -> "home--limit-reached" */
function fileName(screen: Screen): string {
  return screen
    .toLowerCase()
    .split(": ")
    .map((part) => part.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, ""))
    .join("--");
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
