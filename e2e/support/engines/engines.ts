import { findProgram, type ProgramName } from "@/scripts/lib/programs.mjs";
import { EnginePage, type Driver, type Look } from "./engine-page";
import { startChromium, startFirefox } from "./puppeteer-driver";
import { startWebKit } from "./webkit-driver";

interface Engine {
  /** What has to be installed. */
  programs: ProgramName[];
  start(look: Look): Promise<Driver>;
}

/** The engines that the product is walked in: those of nearly all browsers that people have. */
export const engines = {
  Chromium: { programs: ["browser"], start: startChromium },
  Firefox: { programs: ["firefox"], start: startFirefox },
  WebKit: { programs: ["webkit-driver", "minibrowser", "xvfb"], start: startWebKit },
} satisfies Record<string, Engine>;

export type EngineName = keyof typeof engines;

export const engineNames = Object.keys(engines) as EngineName[];

/** The programs that an engine lacks here. */
export function missingFor(name: EngineName): ProgramName[] {
  return engines[name].programs.filter((program) => !findProgram(program));
}

/** Opens an address in a browser of its own, for somebody who was never here. Close its driver. */
export async function openEngine(name: EngineName, look: Look, url: string): Promise<EnginePage> {
  const driver = await engines[name].start(look);
  try {
    await driver.open(url);
    return new EnginePage(driver);
  } catch (error) {
    await driver.close();
    throw error;
  }
}
