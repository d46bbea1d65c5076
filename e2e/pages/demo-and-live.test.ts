import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { builds } from "@/testing/servers/builds";
import { buildsFolder } from "@/testing/servers/builds";
import { expect, test } from "@/testing/test";

/* A live site must not show texts of a demo site, and the other way round. */

/** Returns each match of `words` in the pages and scripts of a build, with the name of its file. */
function findWords(build: keyof typeof builds, words: RegExp): string[] {
  const root = join(__dirname, "..", "..", buildsFolder, build);
  return [".next/server", "public/site"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => (folder === "public/site" ? name.endsWith(".js") : /\.(?:html|body)$/.test(name)))
      .flatMap((name) => {
        const found = readFileSync(join(root, folder, name), "utf8").match(words) ?? [];
        return found.map((word) => `${folder}/${name}: ${word}`);
      }),
  );
}

const demoWords = /.{0,30}\bdemo.{0,30}|on a live site/gi;
const liveWords = /What happens next|Who runs this site/g;

test("the build of a live site contains no text of a demo site", () => {
  expect(findWords("live", demoWords)).toEqual([]);
  expect(findWords("live", liveWords).length).toBeGreaterThan(0);
});

test("the build of a demo site contains no text of a live site", () => {
  expect(findWords("deployed", liveWords)).toEqual([]);
  expect(findWords("deployed", demoWords).length).toBeGreaterThan(0);
});
