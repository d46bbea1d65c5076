import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout, wherever the script was called from. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Something the person at the keyboard can put right: shown as it is, without a stack. */
export class Refusal extends Error {}

export function say(message) {
  console.log(message);
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Children that have not ended, so that an interrupt can end them. */
const children = new Set();

let stopping = false;

/** Called before anything is started: what starts during the clean-up would be left behind by it. */
export function refuseWhenStopping() {
  if (stopping) throw new Refusal("Stopped.");
}

/**
 * Starts a command as the leader of a process group of its own. Ctrl-C in a terminal then reaches only this
 * script, which stops its children one after the other instead of all dying at once, and a signal to the group
 * also reaches what the command itself started.
 */
export function start(
  command,
  args,
  { env = process.env, cwd = root, stdio = "inherit", stdin = "ignore" } = {},
) {
  refuseWhenStopping();
  const child = spawn(command, args, {
    cwd,
    env: { ...env, NEXT_TELEMETRY_DISABLED: "1" },
    detached: true,
    stdio: [stdin, stdio, stdio],
  });
  const started = { child, ended: undefined };
  started.ended = new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: 127, error }));
    child.once("close", (code, signal) => resolve({ code: code ?? 1, signal }));
  }).finally(() => children.delete(started));
  children.add(started);
  return started;
}

/** Runs a command to its end and tells its exit code; after `timeoutMs` it is stopped and counts as failed. */
export async function run(command, args, { timeoutMs, ...options } = {}) {
  const started = start(command, args, options);
  let timedOut = false;
  const timer =
    timeoutMs &&
    setTimeout(() => {
      timedOut = true;
      say(`${command} took longer than ${Math.round(timeoutMs / 60_000)} minutes and is stopped.`);
      void stop(started);
    }, timeoutMs);
  const { code } = await started.ended;
  clearTimeout(timer);
  return timedOut ? 124 : code;
}

/** Ends a command and what it started: politely first, by force when it does not listen. */
export async function stop(started, graceMs = 10_000) {
  const { child, ended } = started;
  if (child.pid === undefined) return;
  signalGroup(child.pid, "SIGTERM");
  const force = setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMs);
  await ended;
  clearTimeout(force);
  // The leader is gone; whoever of its group is left has had its chance.
  signalGroup(child.pid, "SIGKILL");
}

/** The last one first: it may need those before it to end well. */
export async function stopAll() {
  for (const started of [...children].reverse()) await stop(started);
}

export function signalGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (error.code !== "ESRCH" && error.code !== "EPERM") throw error;
  }
}

/**
 * Runs a script's main function. A signal runs `cleanUp` once and ends with `interruptedStatus`, an error runs it
 * and ends with 1; a second signal does not wait any more.
 */
export async function main(work, { cleanUp = () => undefined, interruptedStatus = 0 } = {}) {
  let interruptedAt;
  const interrupted = () => interruptedAt !== undefined;
  const end = async () => {
    stopping = true;
    await stopAll();
    await cleanUp();
  };
  const interrupt = async () => {
    if (interrupted()) {
      // Ctrl-C under npm arrives twice: from the terminal, and passed on by npm.
      if (Date.now() - interruptedAt > 1_000) killAtOnce();
      return;
    }
    interruptedAt = Date.now();
    await end();
    process.exit(interruptedStatus);
  };
  onInterrupt(() => void interrupt());

  try {
    const status = await work(interrupted);
    if (interrupted()) return;
    await end();
    await untilOutputIsTaken();
    process.exit(status ?? 0);
  } catch (error) {
    // What an interrupt broke is no error to report.
    if (interrupted()) return;
    console.error(error instanceof Refusal ? `\n${error.message}\n` : error);
    await end();
    await untilOutputIsTaken();
    process.exit(1);
  }
}

/** What was said into a pipe may still wait for its reader. */
function untilOutputIsTaken() {
  const streams = [process.stdout, process.stderr];
  return Promise.all(streams.map((stream) => new Promise((resolve) => stream.write("", resolve))));
}

function onInterrupt(interrupt) {
  // A closed terminal must not keep the clean-up from its work.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, interrupt);
  // npm that was killed cannot pass a signal on: the parent's end is the only sign of it.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && interrupt(), 1_000).unref();
}

function killAtOnce() {
  for (const { child } of children) if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  process.exit(1);
}

/** Whether a server could listen on the port, on all addresses as Next.js does and on the loopback ones. */
export async function isPortFree(port) {
  for (const host of ["127.0.0.1", "::1"]) if (await accepts(port, host)) return false;
  return (await listenOnce(port)) !== undefined;
}

/** Whether somebody accepts connections there, and soon. */
export function accepts(port, host, timeoutMs = 1_000) {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const finish = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}

/** Listens for a moment, on any port for 0, and tells the port; undefined where that is refused. */
function listenOnce(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(undefined));
    probe.listen(port, host, () => {
      const { port: taken } = probe.address();
      probe.close(() => resolve(taken));
    });
  });
}

/** A port of the loopback address that nothing listens on: the preferred one if it is free. */
export async function freePort(preferred) {
  return (await isPortFree(preferred)) ? preferred : listenOnce(0, "127.0.0.1");
}
