import { spawn, type ChildProcess } from "node:child_process";

const stopTimeoutMs = 10_000;

/** A process of a test, the leader of its group. */
export interface Running {
  child: ChildProcess;
  /** Resolves when it is gone. */
  ended: Promise<void>;
  hasEnded(): boolean;
  /** Everything it wrote so far. */
  output(): string;
}

/** Sees to it that a process group ends with the tests, and does not keep them from ending. */
export function watch(child: ChildProcess): Running {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => void (output += chunk.toString()));
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  void ended.then(() => (hasEnded = true));
  if (child.pid !== undefined) void ended.then(killWhenTestsEnd(-child.pid));
  detachFromEventLoop(child);
  return { child, ended, hasEnded: () => hasEnded, output: () => output };
}

/** Ends a process group: by force when the signal is not heard. A frozen one is woken, so that it can obey. */
export async function end({ child, ended }: Running, signal: NodeJS.Signals): Promise<void> {
  const leader = child.pid;
  if (leader === undefined || child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(leader, signal);
  signalGroup(leader, "SIGCONT");
  // The timer also holds the event loop open meanwhile: the child does not.
  const impatience = setTimeout(() => signalGroup(leader, "SIGKILL"), stopTimeoutMs);
  await ended;
  clearTimeout(impatience);
}

/**
 * Kills a server when the test process is gone, however it went: the watchdog waits for the end of a pipe that
 * only the test process holds open. `process.on("exit")` would not do: Jest hands tests a copy of `process`, and
 * a killed process runs no handlers.
 *
 * A negative id means a whole process group, as with `kill`. Call the returned function once the server has
 * ended, before its id can belong to somebody else.
 */
function killWhenTestsEnd(id: number): () => void {
  const watchdog = spawn("/bin/sh", ["-c", `cat >/dev/null; kill -9 ${id} 2>/dev/null`], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.on("error", () => undefined);
  watchdog.stdin.on("error", () => undefined);
  watchdog.unref();
  unref(watchdog.stdin);
  return () => {
    if (watchdog.pid !== undefined) signalGroup(watchdog.pid, "SIGKILL");
  };
}

/** Lets the test process end although a child still runs; the watchdog then ends the child. */
function detachFromEventLoop(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) unref(stream);
}

/** Signals a process group; one that has already ended is no error. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Pipes are sockets, and only their declared type hides `unref`. */
function unref(stream: unknown): void {
  (stream as { unref?: () => void } | null)?.unref?.();
}
