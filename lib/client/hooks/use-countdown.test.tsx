import { act, renderHook } from "@testing-library/react";
import { formatTimeLeft, splitTime } from "@/lib/time/countdown";
import { recordServerTime } from "@/lib/client/browser/server-clock";
import { useCountdown, type CountdownOptions } from "./use-countdown";

/** Server time. The fake device clock shows 2019. The countdown must ignore the device clock. */
const serverTime = "2026-11-20T12:00:00.000Z";

function serverTimePlus(seconds: number): string {
  return new Date(Date.parse(serverTime) + seconds * 1_000).toISOString();
}

function renderCountdown(options: Partial<CountdownOptions> & { deadline: string }) {
  const onComplete = jest.fn();
  const onClockUncertain = jest.fn();
  const hook = renderHook(
    (props: CountdownOptions) => formatTimeLeft(splitTime(useCountdown(props) * 1_000)),
    {
      initialProps: { onComplete, onClockUncertain, ...options },
    },
  );
  return { hook, onComplete, onClockUncertain };
}

const advance = (ms: number) => act(() => jest.advanceTimersByTime(ms));

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse("2019-01-01T00:00:00Z") });
  recordServerTime(Date.parse(serverTime));
});
afterEach(() => jest.useRealTimers());

test("counts down with the server's clock, which has gone on before the first render", () => {
  advance(30_000);
  const { hook } = renderCountdown({ deadline: serverTimePlus(4 * 3_600 + 30) });
  expect(hook.result.current).toBe("04:00:00");
  advance(1_000);
  expect(hook.result.current).toBe("03:59:59");
  advance(65_000);
  expect(hook.result.current).toBe("03:58:54");
});

test("stops at zero and calls onComplete once per deadline", () => {
  const { hook, onComplete, onClockUncertain } = renderCountdown({ deadline: serverTimePlus(3) });
  advance(2_000);
  expect(onComplete).not.toHaveBeenCalled();
  advance(1_000);
  expect(hook.result.current).toBe("00:00:00");
  advance(60_000);
  hook.rerender({ deadline: serverTimePlus(3), onComplete, onClockUncertain });
  expect(onComplete).toHaveBeenCalledTimes(1);

  hook.rerender({ deadline: serverTimePlus(100), onComplete, onClockUncertain });
  expect(hook.result.current).toBe("00:00:37");
  advance(37_000);
  expect(onComplete).toHaveBeenCalledTimes(2);
});

test("calls onComplete at once for a deadline in the past", () => {
  const { hook, onComplete } = renderCountdown({ deadline: serverTimePlus(-5) });
  expect(hook.result.current).toBe("00:00:00");
  expect(onComplete).toHaveBeenCalledTimes(1);
});

test.each([5, -5])("ignores a device clock change of %s hours and calls onClockUncertain once", (hours) => {
  const { hook, onComplete, onClockUncertain } = renderCountdown({ deadline: serverTimePlus(3_600) });
  advance(10_000);
  jest.setSystemTime(Date.now() + hours * 3_600_000);
  advance(5_000);
  expect(hook.result.current).toBe("00:59:45");
  expect(onComplete).not.toHaveBeenCalled();
  expect(onClockUncertain).toHaveBeenCalledTimes(1);
});

test("calls onClockUncertain after the device slept, and continues from the new server time", () => {
  const { hook, onComplete, onClockUncertain } = renderCountdown({ deadline: serverTimePlus(3_600) });
  // In some browsers the monotonic clock stops while the device sleeps, and only the wall clock advances.
  jest.setSystemTime(Date.now() + 1_800_000);
  act(() => window.dispatchEvent(new Event("focus")));
  expect(onClockUncertain).toHaveBeenCalledTimes(1);

  recordServerTime(Date.parse(serverTimePlus(1_800)));
  hook.rerender({ deadline: serverTimePlus(3_600), onComplete, onClockUncertain });
  expect(hook.result.current).toBe("00:30:00");
});

test("calls onClockUncertain when the browser restores the page from the back/forward cache", () => {
  const { onClockUncertain } = renderCountdown({ deadline: serverTimePlus(3_600) });
  act(() => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  expect(onClockUncertain).toHaveBeenCalledTimes(1);
});
