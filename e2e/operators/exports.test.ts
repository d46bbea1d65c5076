import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { root } from "@/scripts/lib/processes.mjs";
import { expect, test } from "@/testing/test";
import { freePort } from "@/scripts/lib/ports.mjs";
import { runTool } from "@/testing/operator-tools";

/* Long outputs of the operator tools in pipes. All tools print with cli/terminal.ts. */

const lines = 20_000;
/** Reads 64 KiB at a time, with a pause of 20 ms, and prints the number of lines. */
const slowReader = `
  let lines = 0;
  process.stdin.on("readable", () => {
    const chunk = process.stdin.read();
    if (chunk === null) return;
    lines += chunk.toString("latin1").split("\\n").length - 1;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }).on("end", () => process.stdout.write(lines + "\\n"));`;

/** Runs a tool with long lines and the exit status 3, in a pipe with a reader. Returns the output, and then the tool's status. */
async function pipe(reader: string): Promise<string> {
  const file = (name: string, text: string) => {
    const path = test.info().outputPath(name);
    writeFileSync(path, text);
    return path;
  };
  const tool = file(
    "tool.mts",
    `import { print, runTool } from "${root}/cli/terminal";
     runTool(async () => { for (let n = 0; n < ${lines}; n += 1) print("x".repeat(500)); return 3; });`,
  );
  const script = `{ node --conditions=react-server --import tsx "$1"; echo $? >&3; } 3>"$1.status" | ${reader}; cat "$1.status"`;
  const args = ["-c", script, "sh", tool, file("reader.cjs", slowReader)];
  const { stdout, stderr } = await promisify(execFile)("/bin/sh", args, { cwd: root });
  expect(stderr).toBe("");
  return stdout.replace(/^x+$/gm, "x");
}

test("a tool sends all lines to a slow reader", async () => {
  expect(await pipe('node "$2"')).toBe(`${lines}\n3\n`);
});

test("a tool ends without an error when the reader closes the pipe", async () => {
  expect(await pipe("head -1")).toBe("x\n0\n");
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
