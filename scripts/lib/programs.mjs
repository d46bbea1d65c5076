import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Programs that commands and tests run: the Debian package, the names or paths of the program (the first that exists is
 * used), and the environment variable that can contain another path.
 */
const programs = {
  redis: { package: "redis-server", commands: ["redis-server", "valkey-server"] },
  nginx: { package: "nginx", commands: ["nginx"] },
  caddy: { package: "caddy", commands: ["caddy"] },
  // The documents' commands use these two.
  curl: { package: "curl", commands: ["curl"] },
  jq: { package: "jq", commands: ["jq"] },
  ip: { package: "iproute2", commands: ["ip"] },
  pgrep: { package: "procps", commands: ["pgrep"] },
  python3: { package: "python3", commands: ["python3"] },
  script: { package: "bsdutils", commands: ["script"] },
  openssl: { package: "openssl", commands: ["openssl"] },
  "systemd-analyze": { package: "systemd", commands: ["systemd-analyze"] },
  "systemd-tmpfiles": { package: "systemd", commands: ["systemd-tmpfiles"] },
  // npm run test:docker needs these four.
  dockerd: { package: "docker.io", commands: ["dockerd"] },
  "docker-compose": { package: "docker-compose", commands: ["docker-compose"] },
  debootstrap: { package: "debootstrap", commands: ["debootstrap"] },
  slirp4netns: { package: "slirp4netns", commands: ["slirp4netns"] },
  luacheck: { package: "lua-check", commands: ["luacheck"] },
  h2load: { package: "nghttp2-client", commands: ["h2load"] },
  prometheus: { package: "prometheus", commands: ["prometheus"] },
  promtool: { package: "prometheus", commands: ["promtool"] },
  browser: {
    package: "chromium",
    commands: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    variable: "CHROMIUM_PATH",
  },
  "headless-shell": { package: "chromium-headless-shell", commands: ["chromium-headless-shell"] },
  firefox: { package: "firefox-esr", commands: ["firefox-esr", "firefox"], variable: "FIREFOX_PATH" },
  "webkit-driver": { package: "webkit2gtk-driver", commands: ["WebKitWebDriver"] },
  minibrowser: {
    package: "libwebkit2gtk-4.1-0",
    commands: ["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  },
  xvfb: { package: "xvfb", commands: ["Xvfb"] },
};

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
  const { commands, variable } = programs[name];
  throw new Error(
    `There is no ${name}: none of ${commands.join(", ")} is in the PATH. On Debian: apt-get install ${packageOf(name)}` +
      (variable ? `; elsewhere set ${variable} to the program.` : ""),
  );
}

/**
 * @param {ProgramName} name
 * @returns {string | undefined}
 */
export function findProgram(name) {
  const { commands, variable } = programs[name];
  const configured = variable && process.env[variable];
  return configured && isUsable(configured) ? configured : findCommand(...commands);
}

/**
 * Returns the Debian package of a program.
 *
 * @param {ProgramName} name
 */
export function packageOf(name) {
  return programs[name].package;
}

/**
 * Returns the path of the first command that the PATH contains.
 *
 * @param {string[]} names
 * @returns {string | undefined}
 */
export function findCommand(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const places = (name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)));
  return names.flatMap(places).find(isUsable);
}

function isUsable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
