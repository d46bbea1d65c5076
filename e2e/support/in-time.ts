/** What is promised of every answer, whatever is down (docs/architecture.md), in seconds. */
const promised = 2;
/** The tests share their machine with browsers and builds. What hangs for want of a deadline hangs longer than this. */
const busyMachine = 1.5;

/** Whether an answer that took so many seconds kept the promise, as far as can be told on a busy machine. */
export function inTime(seconds: number): boolean {
  return seconds < promised + busyMachine;
}
