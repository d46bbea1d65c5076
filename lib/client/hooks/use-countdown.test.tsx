import { act, renderHook } from "@testing-library/react";
import { formatTimeLeft } from "@/lib/time/countdown";
import { recordServerTime } from "@/lib/client/api/server-clock";
import { useCountdown, type CountdownOptions } from "./use-countdown";

/** The server's clock says noon; the visitor's clock is years away from it. */
const serverTime = "2026-11-20T12:00:00.000Z";

function inSeconds(seconds: number): string {
  return new Date(Date.parse(serverTime) + seconds * 1_000).toISOString();
}

function start(options: Partial<CountdownOptions> & { deadline: string }) {
  const onComplete = jest.fn();
  const onDoubt = jest.fn();
  const hook = renderHook((props: CountdownOptions) => formatTimeLeft(useCountdown(props)), {
    initialProps: { serverTime, onComplete, onDoubt, ...options },
  });
  return { hook, onComplete, onDoubt };
}

const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse("2019-01-01T00:00:00Z") });
  recordServerTime("2000-01-01T00:00:00.000Z");
  recordServerTime(serverTime);
});
afterEach(() => jest.useRealTimers());

test("counts by the server's clock, with two digits each", () => {
  const { hook } = start({ deadline: inSeconds(4 * 3_600) });
  expect(hook.result.current).toBe("04:00:00");
  pass(1_000);
  expect(hook.result.current).toBe("03:59:59");
  pass(65_000);
  expect(hook.result.current).toBe("03:58:54");
});

test("ends at zero and says so once per deadline", () => {
  const { hook, onComplete, onDoubt } = start({ deadline: inSeconds(3) });
  pass(2_000);
  expect(onComplete).not.toHaveBeenCalled();
  pass(1_000);
  expect(hook.result.current).toBe("00:00:00");
  pass(60_000);
  hook.rerender({ deadline: inSeconds(3), serverTime, onComplete, onDoubt });
  expect(onComplete).toHaveBeenCalledTimes(1);

  hook.rerender({ deadline: inSeconds(100), serverTime, onComplete, onDoubt });
  expect(hook.result.current).toBe("00:00:37");
  pass(37_000);
  expect(onComplete).toHaveBeenCalledTimes(2);
});

test("a deadline in the past completes at once", () => {
  const { hook, onComplete } = start({ deadline: inSeconds(-5) });
  expect(hook.result.current).toBe("00:00:00");
  expect(onComplete).toHaveBeenCalledTimes(1);
});

test.each([5, -5])(
  "a clock that is set by %s hours does not matter, and the server is asked once",
  (hours) => {
    const { hook, onComplete, onDoubt } = start({ deadline: inSeconds(3_600) });
    pass(10_000);
    jest.setSystemTime(Date.now() + hours * 3_600_000);
    pass(5_000);
    expect(hook.result.current).toBe("00:59:45");
    expect(onComplete).not.toHaveBeenCalled();
    expect(onDoubt).toHaveBeenCalledTimes(1);
  },
);

test("after a sleep the server's new answer counts", () => {
  const { hook, onComplete, onDoubt } = start({ deadline: inSeconds(3_600) });
  // Some browsers stop the monotonic clock while the device sleeps: only the wall clock has moved on.
  jest.setSystemTime(Date.now() + 1_800_000);
  act(() => window.dispatchEvent(new Event("focus")));
  expect(onDoubt).toHaveBeenCalledTimes(1);

  hook.rerender({ deadline: inSeconds(3_600), serverTime: inSeconds(1_800), onComplete, onDoubt });
  expect(hook.result.current).toBe("00:30:00");
});

test("a page that comes back from the browser's memory asks the server", () => {
  const { onDoubt } = start({ deadline: inSeconds(3_600) });
  act(() => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  expect(onDoubt).toHaveBeenCalledTimes(1);
});

test("the time between the answer and the first sight of it is not lost", () => {
  pass(30_000);
  expect(start({ deadline: inSeconds(60) }).hook.result.current).toBe("00:00:30");
});
