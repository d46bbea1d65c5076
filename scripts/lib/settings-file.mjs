import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { root, UserError } from "./processes.mjs";

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
  if (wrong.length === 0) return parseEnv(text);
  throw new UserError(
    `${path}, line ${wrong.join(", ")}: write NAME='value' and nothing else, in single quotes, without a single quote in ` +
      "the value and without a backslash at its end. Other forms mean different things to those who read this file.",
  );
}

/**
 * Throws an error if Next.js changes a value of its .env files, because it reads `$` as the start of a variable's name. Next.js
 * returns no values of files that it ignores.
 *
 * @param {import("@next/env").LoadedEnvFiles} files
 */
export function refuseExpansions(files) {
  const changed = files.flatMap(({ path, contents, env }) =>
    Object.entries(parseEnv(contents)).flatMap(([name, value]) =>
      name in env && /(?<!\\)\$/.test(value) && value !== env[name] ? [`${path}: ${name}`] : [],
    ),
  );
  if (changed.length === 0) return;
  throw new UserError(
    `${changed.join(", ")} contains a $, which Next.js reads as the start of a variable's name, also in single quotes. Write \\$.`,
  );
}

/**
 * Returns the variables of this process and of a settings file, by default of the .env files that Next.js reads. Contains
 * secrets from files and other names under the name of the setting. Needs the npm packages.
 *
 * @param {{ dev?: boolean, file?: string }} options
 * @returns {Promise<Record<string, string | undefined>>}
 */
export async function loadConfiguration({ dev = false, file }) {
  const source = file ? { ...process.env, ...readSettingsFile(file) } : await loadEnvFiles(dev);
  const { require } = await import("tsx/cjs/api");
  const { readVariables } = require("../../lib/config/read-variables.ts", import.meta.url);
  const { variables, problems } = readVariables(source, (path) => readFileSync(path, "utf8"));
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return variables;
}

async function loadEnvFiles(dev) {
  const { default: loader } = await import("@next/env");
  // With this variable, Next.js would ignore .env files.
  delete process.env.__NEXT_PROCESSED_ENV;
  process.env.NODE_ENV = dev ? "development" : "production";
  const quiet = { info: () => undefined, error: (...values) => console.error(...values) };
  const { combinedEnv, loadedEnvFiles } = loader.loadEnvConfig(root, dev, quiet);
  refuseExpansions(loadedEnvFiles);
  const configuration = { ...combinedEnv };
  // Child processes load the files themselves.
  loader.resetEnv();
  return configuration;
}
