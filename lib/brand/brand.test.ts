import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brandColors, logoSvg } from "./brand";

const styles = readFileSync(join(__dirname, "..", "..", "app", "globals.css"), "utf8");
const darkStart = styles.indexOf("@media screen and (prefers-color-scheme: dark)");

it.each([
  ["light", styles.slice(0, darkStart)],
  ["dark", styles.slice(darkStart)],
] as const)("uses the %s colours of app/globals.css", (scheme, css) => {
  for (const [token, colour] of Object.entries(brandColors[scheme])) {
    expect(css).toContain(`  --${token}: ${colour};`);
  }
});

it("generates the same SVG as app/icon.svg", () => {
  expect(readFileSync(join(__dirname, "..", "..", "app", "icon.svg"), "utf8")).toBe(logoSvg);
});
