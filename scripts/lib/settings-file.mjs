import { readFileSync } from "node:fs";
import util from "node:util";
import { UserError } from "./processes.mjs";

/**
 * Lines that systemd (EnvironmentFile), docker compose (env_file), a shell (set -a; . file) and Node read in the same way.
 * They read spaces, comments after values, backslashes, `$` and double quotes differently, so values with such characters need
 * single quotes.
 */
const line =
  /^(?:[ \t]*|[ \t]*#.*(?<!\\)|[A-Za-z_]\w*=(?:[\w./:@%+,=-]*|'(?:[^'\p{Cc}]*[^'\p{Cc}\\])?')[ \t]*)$/u;

/**
 * Returns the settings in a file such as /etc/boost50.env, by name. Throws an error with the line numbers if other programs
 * could read a line differently.
 *
 * @param {string} path
 * @returns {Record<string, string>}
 */
export function readSettingsFile(path) {
  if (!util.parseEnv) throw new UserError("Settings files need Node.js 20.12 or later.");
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UserError(`${path} cannot be read (${error.code}).`);
  }
  // systemd and docker compose would keep the line ends of Windows in the values.
  if (text.includes("\r"))
    throw new UserError(`${path} has line ends of Windows. Remove them: sed -i 's/\\r$//' ${path}`);
  const wrong = text.split("\n").flatMap((each, index) => (line.test(each) ? [] : [index + 1]));
  if (wrong.length === 0) return util.parseEnv(text);
  throw new UserError(
    `${path}, line ${wrong.join(", ")}: write NAME='value' and nothing else, in single quotes, without a single quote in ` +
      "the value and without a backslash at its end. Other forms mean different things to those who read this file.",
  );
}
