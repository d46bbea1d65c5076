import { spawnSync } from "node:child_process";
import { root } from "@/scripts/lib/processes.mjs";
import { expect, test } from "@/testing/test";
import { freePort } from "@/scripts/lib/ports.mjs";
import { runTool } from "@/testing/operator-tools";

/* Long outputs of the operator tools in pipes. All tools print with cli/terminal.ts. */

const lines = 20_000;
const tool = `
  const { print, runTool } = require("${root}/cli/terminal.ts");
  runTool(async () => { for (let n = 0; n < ${lines}; n += 1) print("x".repeat(500)); return 3; });`;

for (const [reads, reader, status] of [
  // Reads when the tool has printed all lines, which are more than the pipe can store.
  ["sends all lines to a late reader", "{ sleep 3; wc -l; }", `${lines}\n3\n`],
  ["ends without an error when the reader closes the pipe", "head -1 | tr -s x", "x\n0\n"],
] as const)
  test(`a tool ${reads}`, () => {
    const node = `"$0" --conditions=react-server --import tsx --eval "$1"`;
    const script = `{ { ${node}; echo $? >&3; } | ${reader}; } 3>"$2"; cat "$2"`;
    const args = ["-c", script, process.execPath, tool, test.info().outputPath("status")];
    const { stdout, stderr } = spawnSync("/bin/sh", args, { cwd: root, encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: status, stderr: "" });
  });

for (const [tool, ...args] of [["inbox", "export"], ["ledger", "csv"], ["not-found"]] as const)
  test(`npm run ${tool} exits with 1 and one line about the error`, async () => {
    const nowhere = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    expect(await runTool(tool, args, nowhere)).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Redis: .* failed.*\n$/),
    });
  });
