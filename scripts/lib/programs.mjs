import { spawnSync } from "node:child_process";

/** Debian packages of the programs that commands and tests run. */
const packages = {
  ...{ nginx: "nginx", caddy: "caddy", python3: "python3", openssl: "openssl", redis: "redis-server" },
  // The documents' commands use these two.
  ...{ curl: "curl", jq: "jq" },
  ...{ ip: "iproute2", pgrep: "procps", script: "bsdutils" },
  ...{ "systemd-analyze": "systemd" },
  ...{ prometheus: "prometheus", promtool: "prometheus", h2load: "nghttp2-client" },
  ...{ browser: "chromium", "headless-shell": "chromium-headless-shell", firefox: "firefox-esr" },
  ...{ "webkit-driver": "webkit2gtk-driver", minibrowser: "libwebkit2gtk-4.1-0", xvfb: "xvfb" },
};

/** Names or paths of programs with another name than above. The first that exists is used. */
const commands = {
  redis: ["redis-server", "valkey-server"],
  browser: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  "headless-shell": ["chromium-headless-shell"],
  firefox: ["firefox-esr", "firefox"],
  "webkit-driver": ["WebKitWebDriver"],
  minibrowser: ["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  xvfb: ["Xvfb"],
};

/** Environment variables that can contain another path. */
const variables = { browser: "CHROMIUM_PATH", firefox: "FIREFOX_PATH" };

/** @typedef {keyof typeof packages} ProgramName */

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
  const configured = process.env[variables[name] ?? ""];
  return findCommand(...(configured ? [configured] : []), ...(commands[name] ?? [name]));
}

/** The programs that tests need. The other two make tests faster, or are for `npm run bench`. */
export const testPrograms = Object.keys(packages).filter((name) => !/^(?:headless-shell|h2load)$/.test(name));

/** @param {ProgramName} name */
export const packageOf = (name) => packages[name];

/**
 * Returns the path of the first command that exists.
 *
 * @param {string[]} names
 * @returns {string | undefined}
 */
export function findCommand(...names) {
  const script = 'for each; do command -v "$each" && exit; done';
  const { stdout } = spawnSync("/bin/sh", ["-c", script, "sh", ...names], { encoding: "utf8" });
  return stdout.trim() || undefined;
}
