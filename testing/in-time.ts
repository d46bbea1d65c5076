import { expect } from "@playwright/test";
import type { ApiResponse } from "./visitor";

/** Maximum duration of a response if Redis or a service fails (docs/architecture.md), in seconds. */
const maxSeconds = 2;
/** Seconds that a response may take longer in tests, because browsers and builds run on the same machine. */
const toleranceSeconds = 1.5;

/** Returns whether a response came within the maximum duration, with the tolerance for tests. */
export function inTime(seconds: number): boolean {
  return seconds < maxSeconds + toleranceSeconds;
}

/** Expects the response 503 with Retry-After in time, after `waitSeconds` for a lookup. Returns the seconds of Retry-After. */
export async function expectUnavailable(
  name: string,
  send: () => Promise<ApiResponse>,
  code = "service_unavailable",
  waitSeconds = 0,
): Promise<number> {
  const startedAt = performance.now();
  const { status, body, headers } = await send();
  const seconds = (performance.now() - startedAt) / 1_000 - waitSeconds;
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
