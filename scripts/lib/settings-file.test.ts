import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadEnvConfig } from "@next/env";
import { secretSettings } from "@/lib/config/read-variables";
import { envSchema } from "@/lib/server/config/env-schema";
import { readSettingsFile, refuseExpansions } from "./settings-file.mjs";

const folder = mkdtempSync(join(tmpdir(), "settings-"));
const file = join(folder, "settings.env");
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  "  a name  with spaces, é ü 好 and = ",
  "123|abc; a && b > d * ? ~ !",
  "a #b # c",
  "$HOME ${HOME} $$ $(id) `id`",
  "\\n \\ \\\\ \\x",
  'say "so" %h %% p%40ss',
  "",
])("reads %j in single quotes unchanged, as systemd and a shell do", (value) => {
  // The values around it show whether a program reads two lines as one value.
  writeFileSync(
    file,
    `# it's a "comment\nFIRST=1\nID='${value}'  \n\n# another one's\nLAST=p%40ss@127.0.0.1/0\n`,
  );
  const expected = { FIRST: "1", ID: value, LAST: "p%40ss@127.0.0.1/0" };
  expect(readSettingsFile(file)).toEqual(expected);
});

it("names line ends of Windows, and their remedy", () => {
  writeFileSync(file, "A=1\r\nB='2'\r\n");
  expect(() => readSettingsFile(file)).toThrow(/line ends of Windows. Remove them: sed/);
});

it.each([
  ["A=two words", "a shell takes the second for a command"],
  ["A=$B", "a shell and docker compose put in what B is"],
  ["A=a#b", "Node takes the rest for a comment"],
  ["A=a|b", "a shell pipes"],
  ["A=a\\b", "systemd and a shell drop the backslash"],
  ['A="a"', "each has other escapes in double quotes"],
  ["A='a' # b", "systemd adds the comment to the value"],
  ["A='a'b", "Node drops the rest"],
  ["A='a\\'", "docker compose takes the quote for a part of the value"],
  ["A='a", "it does not end in this line"],
  ["A = a", "a shell takes A for a command"],
  ["export A=a", "systemd ignores it"],
  ["; comment", "a shell takes it for commands"],
  ["# comment \\", "systemd takes the next line for a part of it"],
  ["\uFEFFA=a", "the mark becomes a part of the name"],
  ["1A=a", "it is no name"],
])("the line %j is refused with its number: %s", (wrong) => {
  writeFileSync(file, `OK=1\n${wrong}\nB='2'\n`);
  expect(() => readSettingsFile(file)).toThrow(`${file}, line 2: write NAME='value'`);
});

it("reads .env.example, which has at most 34 settings, all of them known", () => {
  const names = Object.keys(readSettingsFile(join(__dirname, "..", "..", ".env.example")));
  const known: string[] = [...envSchema.keyof().options, "BUILD_OUTPUT"];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  expect(names.length).toBeLessThanOrEqual(34);
});

it("explains in .env.example which settings can come from a file, among them all whose names say secret", () => {
  const text = readFileSync(join(__dirname, "..", "..", ".env.example"), "utf8").replaceAll("\n# ", " ");
  const [, list = ""] = /This works for ([^.]*)\./.exec(text) ?? [];
  expect(list.split(/, | and /).sort()).toEqual([...secretSettings].sort());
  const names = envSchema.keyof().options.filter((name) => /SECRET|TOKEN/.test(name));
  expect(secretSettings).toEqual(expect.arrayContaining(names));
});

it.each([
  ["A='pa$word'", "A"],
  ['B="${HOME}"', "B"],
  ["C=pa\\$word", undefined],
  ["D='pa$$ 100$ '", undefined],
])("reports the line %j of a .env file only if Next.js would change its value", (text, name) => {
  const place = mkdtempSync(join(folder, "env-"));
  writeFileSync(join(place, ".env"), `OK=1\n${text}\n`);
  const { loadedEnvFiles } = loadEnvConfig(place, true, console, true);
  expect(loadedEnvFiles).toHaveLength(1);
  const check = expect(() => refuseExpansions(loadedEnvFiles));
  if (name) check.toThrow(`.env: ${name} contains a $, `);
  else check.not.toThrow();
});

it("accepts a $ in files that Next.js ignores, because the build has the settings of another machine", () => {
  const contents = "A='pa$word'";
  expect(() => refuseExpansions([{ path: ".env", contents, env: {} }])).not.toThrow();
});

it("names a missing file", () => {
  expect(() => readSettingsFile(join(folder, "none"))).toThrow(/none cannot be read \(ENOENT\)/);
});
