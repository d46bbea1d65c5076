import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { main, root } from "@/scripts/lib/processes.mjs";
import { launchBrowser } from "@/testing/browser/browser";
import { startScreens } from "@/testing/browser/screen-fixture";
import { openScreen, screenNames, screens, type Screen } from "../pages/screens";

/*
 * npm run shots: writes a picture of every screen and state, on a phone and on a desktop, in light and dark colours. Arguments
 * after "--" select the screens whose names begin with one of them.
 */

const folder = join(root, "shots");
const wanted = process.argv.slice(2);

/** A picture of the current screen. */
interface Look {
  file: string;
  size: { width: number; height: number };
  colorScheme: "light" | "dark";
}

const phone = { width: 360, height: 640 };
const desktop = { width: 1280, height: 800 };

async function takeShots(): Promise<void> {
  const isWanted = (name: string) =>
    wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning));
  if (wanted.length === 0) rmSync(folder, { recursive: true, force: true });
  const browser = await launchBrowser();
  const fixture = await startScreens({ viewport: phone }, browser);
  try {
    for (const screen of screenNames.filter(isWanted)) {
      console.log(screen);
      const page = await openScreen(fixture, screen);
      await settle(page);
      for (const { file, size, colorScheme } of looksOf(screen)) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        const fullPage = !(await page.evaluate(hasFloating));
        await page.screenshot({ path: join(folder, file), fullPage, animations: "disabled" });
      }
      await fixture.clear();
    }
  } finally {
    await fixture.stop();
    await browser.close();
  }
  console.log(`\n${folder}`);
}

function looksOf(screen: Screen): Look[] {
  const { only } = screens[screen];
  const sizes = [...(only === "wide" ? [] : [phone]), ...(only === "narrow" ? [] : [desktop])];
  const name = screen.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return sizes.flatMap((size) =>
    (["light", "dark"] as const).map((colorScheme) => ({
      file: `${name}.${size.width}.${colorScheme}.png`,
      size,
      colorScheme,
    })),
  );
}

/** Removes the hover, and waits for the fonts. */
async function settle(page: Page): Promise<void> {
  // Otherwise, the last pressed button would look hovered.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** Runs in the page. Returns whether an element has a fixed position, such as a dialog. Its picture shows only the window. */
function hasFloating(): boolean {
  return [...document.body.querySelectorAll("*")].some(
    (element) =>
      getComputedStyle(element).position === "fixed" &&
      element.checkVisibility() &&
      element.getBoundingClientRect().height > 40,
  );
}

void main(takeShots);
