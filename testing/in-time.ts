import { expect } from "@playwright/test";
import type { ApiResponse } from "./visitor";

/**
 * Longest response if Redis or a service fails (docs/architecture.md), and the time that it may take longer in tests,
 * because browsers and builds run on the same machine.
 */
const maxSeconds = 2 + 1.5;

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
  expect({ name, status, code: body.code }).toEqual({ name, status: 503, code });
  expect(seconds, name).toBeLessThan(maxSeconds);
  const wait = Number(headers.get("retry-after"));
  expect(wait, name).toBeGreaterThan(0);
  return wait;
}
