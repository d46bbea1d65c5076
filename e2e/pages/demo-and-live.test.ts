import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildFolder } from "@/testing/servers/builds";
import { expect, test } from "@/testing/test";

const demoWords = /.{0,30}\bdemo.{0,30}|on a live site/gi;
const liveWords = /What happens next|Who runs this site|50 accepted/g;

/** Returns each match of `words` in the pages and scripts of a build, with the name of its file. */
function findWords(build: "live" | "deployed", words: RegExp): string[] {
  return [".next/server", "public/site"].flatMap((folder) =>
    readdirSync(join(buildFolder(build), folder), { recursive: true, encoding: "utf8" })
      .filter((name) => (folder === "public/site" ? name.endsWith(".js") : /\.(?:html|body)$/.test(name)))
      .flatMap((name) => {
        const found = readFileSync(join(buildFolder(build), folder, name), "utf8").match(words) ?? [];
        return found.map((word) => `${folder}/${name}: ${word}`);
      }),
  );
}

for (const [build, site, ownWords, otherWords] of [
  ["live", "a live", liveWords, demoWords],
  ["deployed", "a demo", demoWords, liveWords],
] as const)
  test(`the build of ${site} site contains its own texts, and none of the other kind of site`, () => {
    expect(findWords(build, otherWords)).toEqual([]);
    expect(findWords(build, ownWords).length).toBeGreaterThan(0);
  });
