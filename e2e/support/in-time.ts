import type { ApiAnswer } from "./visitor";

/** What is promised of every answer, whatever is down (docs/architecture.md), in seconds. */
const promised = 2;
/** The tests share their machine with browsers and builds. What hangs for want of a deadline hangs longer than this. */
const busyMachine = 1.5;

/** Whether an answer that took so many seconds kept the promise, as far as can be told on a busy machine. */
export function inTime(seconds: number): boolean {
  return seconds < promised + busyMachine;
}

/** Asks, and fails unless the answer is what an outage promises: 503 with Retry-After, in time. Returns the seconds to wait. */
export async function expectUnavailable(
  name: string,
  ask: () => Promise<ApiAnswer>,
  code = "service_unavailable",
): Promise<number> {
  const startedAt = performance.now();
  const { status, body, headers } = await ask();
  const seconds = (performance.now() - startedAt) / 1_000;
  const wait = Number(headers.get("retry-after"));
  expect({ name, status, code: body.code, waits: wait > 0, inTime: inTime(seconds) }).toEqual({
    name,
    status: 503,
    code,
    waits: true,
    inTime: true,
  });
  return wait;
}
