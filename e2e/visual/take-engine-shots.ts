import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contactSheet } from "../support/browser/contact-sheet";
import { engineNames, openEngine, type EngineName } from "../support/engines/engines";
import type { EnginePage, Look } from "../support/engines/engine-page";
import { continueToGetLikes, sendLikes, startFlow } from "../support/engines/flow-steps";
import { TestServers } from "../support/servers/test-servers";

/*
 * npm run shots -- --engines: pictures of the flow and of a form in every engine, on a phone and on a desktop, light and
 * dark, and a page that has them side by side. Names of engines after it choose them.
 */

const folder = join(__dirname, "..", "..", "shots");
const widths = [360, 1280];
const schemes = ["light", "dark"] as const;
const screens = ["home", "step 2", "step 3", "receipt", "cooldown", "form"] as const;

type Screen = (typeof screens)[number];

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  const servers = new TestServers();
  await servers.launch();
  try {
    const { url } = await servers.start();
    for (const name of engineNames) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      for (const colours of schemes) await walk(name, colours, url);
    }
  } finally {
    await servers.stop();
  }
  const rows = screens.flatMap((screen) =>
    widths.flatMap((width) =>
      schemes.map((colours) => ({
        name: `${screen}, ${width} pixels, ${colours}: ${engineNames.join(", ")}`,
        files: engineNames.map((engine) => fileName(engine, screen, width, colours)),
      })),
    ),
  );
  const page = join(folder, "engines.html");
  writeFileSync(page, contactSheet("The flow and a form in every engine", rows));
  console.log(`\n${page}`);
}

/** Walks through the screens, and takes its pictures on the way. */
async function walk(name: EngineName, colours: Look["colours"], url: string): Promise<void> {
  console.log(`${name}, ${colours}`);
  const page = await openEngine(name, { width: 360, height: 640, colours }, url);
  const take = (screen: Screen) => takePictures(page, (width) => fileName(name, screen, width, colours));
  try {
    await page.waitFor("free likes left today");
    await take("home");
    await startFlow(page);
    await page.waitFor("Continue to Get Likes", "/verification/");
    await take("step 2");
    await continueToGetLikes(page);
    await take("step 3");
    await sendLikes(page);
    await take("receipt");
    await page.goTo(url);
    await startFlow(page);
    await page.waitFor("You've Already Received Free Likes", "/verification/");
    await take("cooldown");
    await page.goTo(`${url}/contact/`);
    await page.click("textbox", "Name");
    await page.find({ role: "checkbox" });
    await page.click("button", "Send Message");
    await page.waitFor("There is a problem");
    await take("form");
  } finally {
    await page.driver.close();
  }
}

/** Pictures of the whole page in all widths. */
async function takePictures(page: EnginePage, fileOf: (width: number) => string): Promise<void> {
  for (const width of widths) {
    await page.driver.resize({ width, height: 640 });
    const height = await page.driver.evaluate(() => document.documentElement.scrollHeight);
    await page.driver.resize({ width, height });
    await page.settle();
    // WebKit paints what a larger window shows a moment after it says that it is larger.
    await new Promise((resolve) => setTimeout(resolve, 500));
    writeFileSync(join(folder, fileOf(width)), await page.driver.screenshot());
  }
  await page.driver.resize({ width: 360, height: 640 });
}

function fileName(engine: EngineName, screen: Screen, width: number, colours: Look["colours"]): string {
  return `engines--${screen.replace(" ", "-")}.${width}.${colours}.${engine.toLowerCase()}.png`;
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
