import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Programs that commands and tests run, and their Debian packages. A list also has the names or paths of the program if it
 * has another name. The first that exists is used.
 */
const programs = {
  redis: ["redis-server", "redis-server", "valkey-server"],
  nginx: ["nginx"],
  caddy: ["caddy"],
  // The documents' commands use these two.
  curl: ["curl"],
  jq: ["jq"],
  ip: ["iproute2"],
  pgrep: ["procps"],
  python3: ["python3"],
  script: ["bsdutils"],
  openssl: ["openssl"],
  "systemd-analyze": ["systemd"],
  "systemd-tmpfiles": ["systemd"],
  luacheck: ["lua-check"],
  h2load: ["nghttp2-client"],
  prometheus: ["prometheus"],
  promtool: ["prometheus"],
  browser: ["chromium", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  "headless-shell": ["chromium-headless-shell", "chromium-headless-shell"],
  firefox: ["firefox-esr", "firefox-esr", "firefox"],
  "webkit-driver": ["webkit2gtk-driver", "WebKitWebDriver"],
  minibrowser: [
    "libwebkit2gtk-4.1-0",
    ...["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  ],
  xvfb: ["xvfb", "Xvfb"],
};

/** Environment variables that can contain another path. */
const variables = { browser: "CHROMIUM_PATH", firefox: "FIREFOX_PATH" };

/** @typedef {keyof typeof programs} ProgramName */

/**
 * Returns the path of a program. Throws if it is not installed.
 *
 * @param {ProgramName} name
 * @returns {string}
 */
export function requireProgram(name) {
  const path = findProgram(name);
  if (path) return path;
  const elsewhere = variables[name] ? `; elsewhere set ${variables[name]} to the program.` : "";
  throw new Error(`There is no ${name}. On Debian: apt-get install ${packageOf(name)}${elsewhere}`);
}

/**
 * @param {ProgramName} name
 * @returns {string | undefined}
 */
export function findProgram(name) {
  const [, ...commands] = programs[name];
  const configured = process.env[variables[name] ?? ""];
  return findCommand(...(configured ? [configured] : []), ...(commands.length > 0 ? commands : [name]));
}

/**
 * Returns the Debian package of a program.
 *
 * @param {ProgramName} name
 */
export const packageOf = (name) => programs[name][0];

/**
 * Returns the path of the first command that the PATH contains.
 *
 * @param {string[]} names
 * @returns {string | undefined}
 */
export function findCommand(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const places = (name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)));
  return names.flatMap(places).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
