import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/*
 * Starts and stops processes, for scripts and tests. It uses only Node's own modules, because scripts start before npm
 * packages are installed. Each process leads a process group. A signal to the group also reaches descendants, and Ctrl-C
 * in a terminal reaches only the script, which then stops its processes in order.
 */

export { setTimeout as pause } from "node:timers/promises";

/** The root folder of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** An error that the user can correct. `main` prints its message without a stack. */
export class UserError extends Error {}

/** Prints the message of a UserError, or another error with its stack. */
export function printError(error) {
  console.error(error instanceof UserError ? `\n${error.message}\n` : error);
}

/**
 * @typedef {object} Running
 * @property {import("node:child_process").ChildProcess} child
 * @property {Promise<number>} ended resolves with the exit status: 1 after a signal, 127 if the command did not start
 * @property {() => boolean} hasEnded
 * @property {(stream?: "stdout" | "stderr") => string} output the text of both streams or of one, if they are pipes
 *
 * @typedef {Pick<import("node:child_process").SpawnOptions, "cwd" | "stdio" | "uid" | "gid">
 *   & { env?: Record<string, string | undefined> }} StartOptions
 */

const graceMs = 10_000;

/** Processes that have not ended, the oldest first. */
const processes = new Set();
let stopping = false;

/**
 * Starts a command, by default in the root folder. The process does not outlive this process, even if a SIGKILL ends this
 * process.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {StartOptions} [options]
 * @returns {Running}
 */
export function start(command, args, { env = process.env, ...options } = {}) {
  // The clean-up would not stop a process that starts now.
  if (stopping) throw new UserError("Stopped.");
  const defaults = { cwd: root, stdio: ["ignore", "inherit", "inherit"], detached: true };
  const child = spawn(command, args, {
    ...defaults,
    ...options,
    env: { ...env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  const written = [];
  for (const name of ["stdout", "stderr"])
    child[name]?.setEncoding("utf8").on("data", (text) => written.push({ name, text }));
  let hasEnded = false;
  const running = {
    child,
    ended: new Promise((resolve) => {
      child.once("error", () => resolve(127));
      child.once("close", (code) => resolve(code ?? 1));
    }).finally(() => {
      hasEnded = true;
      processes.delete(running);
    }),
    hasEnded: () => hasEnded,
    output: (stream) =>
      written.flatMap(({ name, text }) => (name === (stream ?? name) ? [text] : [])).join(""),
  };
  processes.add(running);
  if (child.pid !== undefined) void running.ended.then(startWatchdog(child.pid));
  return running;
}

/**
 * Starts a command whose output is captured. It does not keep this process running.
 *
 * @type {typeof start}
 */
export const startInBackground = (command, args, options) => {
  const running = start(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  for (const part of [running.child, ...running.child.stdio]) part?.unref();
  return running;
};

/**
 * Runs a command to its end. Returns the exit status.
 *
 * @type {(...args: Parameters<typeof start>) => Promise<number>}
 */
export const run = (...args) => start(...args).ended;

/**
 * Sends the signal to a process group, and SIGKILL if the process has not ended after 10 seconds.
 *
 * @param {Running} running
 * @param {NodeJS.Signals} [signal]
 */
export async function stop({ child, ended, hasEnded }, signal = "SIGTERM") {
  if (child.pid === undefined || hasEnded()) return;
  signalGroup(child.pid, signal);
  // A process handles no signal while SIGSTOP holds it.
  signalGroup(child.pid, "SIGCONT");
  const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
  // Descendants can outlive the leader of the group.
  signalGroup(child.pid, "SIGKILL");
}

/**
 * Runs a script, and ends this process with the status that `work` returns, or with 1 after an error. SIGINT, SIGTERM and
 * SIGHUP stop the processes, the newest first, run `cleanUp`, and end with `interruptedStatus`. Further signals have no
 * effect.
 */
export async function main(work, { cleanUp = () => undefined, interruptedStatus = 130 } = {}) {
  let interrupted = false;
  const end = async (status) => {
    stopping = true;
    for (const running of [...processes].reverse()) await stop(running);
    await cleanUp();
    // Pipes can contain output that has not been read.
    for (const stream of [process.stdout, process.stderr])
      await new Promise((resolve) => stream.write("", resolve));
    process.exit(status);
  };
  const interrupt = () => {
    if (!interrupted) void end(interruptedStatus);
    interrupted = true;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, interrupt);
  // Writing to a closed terminal must not end the clean-up.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const status = await Promise.resolve()
    .then(work)
    .catch((error) => {
      // An interrupt also ends the processes that `work` waits for.
      if (!interrupted) printError(error);
      return 1;
    });
  if (!interrupted) await end(status ?? 0);
}

/** Signals a process group. Does nothing if the group has ended or belongs to another user. */
function signalGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (error.code !== "ESRCH" && error.code !== "EPERM") throw error;
  }
}

/**
 * Kills a process group when this process ends. The watchdog reads a pipe that only this process holds open.
 * `process.on("exit")` does not run after SIGKILL. Call the returned function when the group has ended, because another
 * group can get its id.
 */
function startWatchdog(leader) {
  const watchdog = spawn("/bin/sh", ["-c", `cat >/dev/null; kill -9 -${leader} 2>/dev/null`], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  for (const part of [watchdog, watchdog.stdin]) {
    part.on("error", () => undefined);
    part.unref();
  }
  return () => watchdog.pid !== undefined && signalGroup(watchdog.pid, "SIGKILL");
}
