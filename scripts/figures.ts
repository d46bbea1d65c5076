import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFigures } from "@/bench/figures";
import { keptFolder, latestFolder, programs } from "@/bench/results";

/* npm run figures: keeps the latest runs of bench and lighthouse, and writes the tables of docs/performance.md from them. */

for (const program of programs) {
  const latest = join(latestFolder, `${program}.json`);
  if (existsSync(latest)) renameSync(latest, join(keptFolder, `${program}.json`));
}
const guide = join(__dirname, "..", "docs", "performance.md");
writeFileSync(guide, withFigures(readFileSync(guide, "utf8")));
