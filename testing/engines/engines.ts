import { findProgram, type ProgramName } from "@/scripts/lib/programs.mjs";
import { EnginePage, type Driver, type Look } from "./engine-page";
import { startChromium, startFirefox } from "./puppeteer-driver";
import { startWebKit } from "./webkit-driver";

interface Engine {
  /** Programs that must be installed. */
  programs: ProgramName[];
  start(look: Look): Promise<Driver>;
}

const engines = {
  Chromium: { programs: ["browser"], start: startChromium },
  Firefox: { programs: ["firefox"], start: startFirefox },
  WebKit: { programs: ["webkit-driver", "minibrowser", "xvfb"], start: startWebKit },
} satisfies Record<string, Engine>;

export type EngineName = keyof typeof engines;

export const engineNames = Object.keys(engines) as EngineName[];

/** Returns the programs of an engine that are not installed. */
export function missingFor(name: EngineName): ProgramName[] {
  return engines[name].programs.filter((program) => !findProgram(program));
}

/** Opens a URL in a new browser with an empty profile. The caller closes the driver. */
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
