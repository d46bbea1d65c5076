import { spawn, type ChildProcess } from "node:child_process";

/**
 * Kills a server when the test process is gone, however it went: the watchdog waits for the end of a pipe that
 * only the test process holds open. `process.on("exit")` would not do: Jest hands tests a copy of `process`, and
 * a killed process runs no handlers.
 *
 * A negative id means a whole process group, as with `kill`. Call the returned function once the server has
 * ended, before its id can belong to somebody else.
 */
export function killWhenTestsEnd(id: number): () => void {
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
export function detachFromEventLoop(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) unref(stream);
}

/** Signals a process group; one that has already ended is no error. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
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
