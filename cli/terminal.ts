import { createInterface } from "node:readline/promises";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { extendConnectionAttempts } from "@/lib/server/http/http-client";

/**
 * Runs a tool, and ends the process with the exit status that it returns, or with 1 after an error. First waits until
 * the reader has received all output. A reader that closes the pipe ends the tool with 0.
 */
export function runTool(work: () => Promise<number>): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  process.stderr.on("error", () => undefined);
  extendConnectionAttempts();
  void work()
    .catch((error: unknown) => fail(reasonOf(error)))
    .then(async (status) => {
      for (const stream of [process.stdout, process.stderr])
        await new Promise((resolve) => stream.write("", resolve));
      // Open connections would keep the process running.
      process.exit(status);
    });
}

/** Functions by the name of a command. They get the next argument, and return the exit status. */
type Commands = Record<string, (argument?: string) => Promise<number>>;

/** Runs the command that the first of the arguments names, by default the first of `commands`. */
export function runCommand(usage: string, [name, argument]: string[], commands: Commands): void {
  const [fallback] = Object.values(commands);
  const command = name === undefined ? fallback : Object.hasOwn(commands, name) && commands[name];
  runTool(async () => (command ? command(argument) : fail(usage)));
}

/** scripts/tool.mjs handles these options of all tools. */
const commonOptions = `
  --env <file>                uses the settings in a file, for example /etc/boost50.env
  --demo                      uses the Redis of npm run quickstart`;

/** Parses the arguments of a tool. For `--help`, prints the usage and ends the process. A wrong option ends it with status 1. */
export function parseArguments<Config extends ParseArgsConfig>(usage: string, config: Config) {
  const isHelp = process.argv.includes("--help");
  try {
    if (!isHelp) return parseArgs(config);
  } catch (error) {
    fail(`${(error as Error).message}\n`);
  }
  (isHelp ? print : fail)(usage + commonOptions);
  return process.exit(isHelp ? 0 : 1);
}

/** Returns the message of our own error, because a library's error can contain keys. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : "It failed.";
}

/** Writes text to standard output, as one or more lines. Escapes all control characters except line breaks. */
export function print(text: string): void {
  process.stdout.write(`${escapeLines(text)}\n`);
}

/** Writes a message to standard error. Returns the exit status of a failure. Escapes like `print`. */
export function fail(message: string): number {
  process.stderr.write(`${escapeLines(message)}\n`);
  return 1;
}

function escapeLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}

/** Returns whether the operator confirms: with `--yes`, or by typing yes. Without a terminal, only `--yes` confirms. */
export async function confirmed(question: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    fail("There is no terminal to confirm in: add --yes to go ahead.");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const reply = await terminal.question(`${question} (yes/no) `);
  terminal.close();
  return reply.trim() === "yes";
}

/** Prints "1 order" or "2 orders". */
export function printCount(count: number, noun: string): void {
  print(`${count} ${noun}${count === 1 ? "" : "s"}`);
}

/**
 * Escapes line breaks, control and format characters as in JSON, for example \u202e. They could move the cursor,
 * change the window, or reverse the text. Emoji and some languages need the two joiners.
 */
export function escapeControls(text: string): string {
  return text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
