import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "@/package.json";
import { commands } from "./lib/commands.mjs";

const root = join(__dirname, "..");

it("lists every script of package.json, so that verify runs each of them", () => {
  const scripts = Object.keys(packageJson.scripts).filter((name) => name !== "prebuild");
  expect(Object.keys(commands).sort()).toEqual(scripts.sort());
});

it.each(["README.md", "CONTRIBUTING.md"])("lists every command that %s names", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const named = [...text.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name);
  const unknown = named.filter((name) => !["ci", "run", ...Object.keys(commands)].includes(name!));
  expect(unknown).toEqual([]);
});
