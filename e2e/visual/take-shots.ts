import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "@playwright/test";
import { launchBrowser } from "@/testing/browser/browser";
import { contactSheet } from "@/testing/browser/contact-sheet";
import { ScreenFixture, type Place } from "@/testing/browser/screen-fixture";
import { readVisible } from "@/testing/browser/visible";
import { goToScreen, screenNames, screens, type Screen } from "../pages/screens";

/*
 * npm run shots: writes a picture of every screen and state, on a phone and on a desktop, in light and dark colours, and a page
 * with all pictures. Arguments after "--" select the screens whose names begin with one of them. "--readme" writes the pictures
 * of the README, with two pixels per CSS pixel. Other looks: "--size=768x1024", "--text=200" (font size in percent) and "--forced"
 * (forced colours).
 */

const folder = join(__dirname, "..", "..", "shots");
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: "string", multiple: true, default: ["360x640", "1280x800"] },
    text: { type: "string", default: "100" },
    forced: { type: "boolean", default: false },
    readme: { type: "boolean", default: false },
  },
});
const sizes = options.size.map((size) => {
  const [width = 0, height = 0] = size.split("x").map(Number);
  return { width, height };
});
const schemes = ["light", "dark"] as const;

/** Pictures for the README. They show one window. */
const forReadme = [
  { file: "home.png", screen: "home", size: { width: 360, height: 640 }, colorScheme: "light" },
  { file: "success.png", screen: "success", size: { width: 360, height: 900 }, colorScheme: "light" },
  {
    file: "cooldown.png",
    screen: "verification: rate limited",
    size: { width: 360, height: 720 },
    colorScheme: "dark",
  },
  { file: "home-wide.png", screen: "home", size: { width: 1280, height: 800 }, colorScheme: "dark" },
] as const;

async function main(): Promise<void> {
  if (options.readme) return takeForReadme();
  const names = screenNames.filter(
    (name) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning)),
  );
  if (wanted.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  const fixture = await ScreenFixture.start(browser, { viewport: { width: 360, height: 640 } });
  const rows: { name: string; files: string[] }[] = [];
  try {
    for (const name of names) {
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
    timezoneId: "Europe/Berlin",
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

/** Opens a screen, and waits until its texts are visible, in the fonts of the site. */
async function arrive(fixture: ScreenFixture, name: Screen): Promise<Place> {
  const place = await openScreen(fixture, name);
  await showLoadedFonts(place.page);
  return place;
}

/**
 * Inter has "font-display: optional", so a first visit keeps the fallback font until Chromium computes all styles again,
 * for example for forced colours. Without this step that happens while Playwright takes the first picture: after it has
 * measured the page with the fallback font, and before it draws the page with Inter, which needs more lines.
 */
async function showLoadedFonts(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  for (const forcedColors of ["active", "none"] as const) {
    await page.emulateMedia({ forcedColors });
    await page.evaluate(() => document.body.offsetHeight);
  }
}

async function openScreen(fixture: ScreenFixture, name: Screen): Promise<Place> {
  const place = await goToScreen(fixture, name);
  await place.root.waitFor();
  const { says = [] } = screens[name];
  for (const end = Date.now() + 15_000; Date.now() < end; await place.page.waitForTimeout(50)) {
    const { text } = await readVisible(place.root);
    if (says.every((string) => text.includes(string))) return place;
  }
  console.warn(`${name} lacks some of its texts. npm run test:e2e -- screens prints them.`);
  return place;
}

/** Opens a screen and takes its pictures. Returns the names of the files. */
async function take(fixture: ScreenFixture, name: Screen): Promise<string[]> {
  const { page } = await arrive(fixture, name);
  // Otherwise, the last pressed button would look hovered.
  await page.mouse.move(0, 0);
  await page.evaluate((size) => (document.documentElement.style.fontSize = size), `${options.text}%`);
  if (options.forced) await page.emulateMedia({ forcedColors: "active" });
  const files: string[] = [];
  for (const size of sizes) {
    const { only } = screens[name];
    if (only && (only === "wide") !== size.width >= 768) continue;
    await page.setViewportSize(size);
    // Dialogs and toasts have a fixed position in the window, so these pictures show the window only.
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

/** Runs in the page. Returns whether an element has a fixed position. */
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
