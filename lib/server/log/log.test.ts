import { AppError } from "@/lib/http/errors";
import { describeError, log, LoggableError, redirectConsole, withRequestId } from "./log";

const secret = "person@example.com";
let lines: string[] = [];

beforeEach(() => {
  lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  }
});
afterEach(() => jest.restoreAllMocks());

const loggedEvents = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

it("writes one JSON line per event with the request id, even if the work ends after the request", async () => {
  let later: Promise<void> | undefined;
  withRequestId("id-1", () => {
    log.info("delivery", { order: "ABCD-1234", outcome: "accepted" });
    later = Promise.resolve().then(() => log.warn("mail failed", { messageId: "m1" }));
  });
  await later;
  log.error("upkeep failed");
  expect(loggedEvents()).toEqual([
    expect.objectContaining({ level: "info", event: "delivery", requestId: "id-1", order: "ABCD-1234" }),
    expect.objectContaining({ level: "warn", event: "mail failed", requestId: "id-1" }),
    { time: expect.any(String), level: "error", event: "upkeep failed" },
  ]);
});

it("drops unlisted fields, and values of the wrong kind", () => {
  const fields = {
    email: secret,
    order: secret,
    durationMs: secret,
    status: NaN,
    code: "a b",
    method: "GET",
  };
  log.info("request", { ...(fields as object), constructor: "x", cause: "x".repeat(2_000) } as object);
  expect(loggedEvents()).toEqual([
    { time: expect.any(String), level: "info", event: "request", method: "GET" },
  ]);
});

describe("describeError", () => {
  it("returns the message of a LoggableError, and the code of an AppError without a cause", () => {
    const cause = new LoggableError("Redis: ledger reserve failed (timeout)");
    expect(describeError(new AppError("service_unavailable", { cause }))).toEqual({ cause: cause.message });
    expect(describeError(new AppError("flow_required"))).toEqual({ cause: "flow_required" });
  });

  it.each([
    ["a message", secret],
    ["lines in its message", `first\n${secret}\n    at ${secret} (file.js:1:2)`],
    ["no message", ""],
  ])("returns only the name and the stack frames of any other error, with %s", (_, message) => {
    const { cause, stack } = describeError(new TypeError(message));
    expect(cause).toBe("TypeError");
    expect(stack).toMatch(/^at .*log\.test\.ts/);
    expect(stack).not.toContain(secret);
  });

  it("does not log an invalid error name, or a thrown value that is not an error", () => {
    const named = Object.assign(new Error("x"), { name: secret });
    expect(describeError(named).cause).toBe("Error");
    expect(describeError(secret)).toEqual({ cause: "unknown" });
    expect(describeError(undefined)).toEqual({});
  });
});

it("logs console output of other code without the printed text", () => {
  const { error, warn } = console;
  try {
    redirectConsole();
    console.error("failed for %s", secret, new RangeError(secret));
    console.warn(`a warning about ${secret}`);
  } finally {
    Object.assign(console, { error, warn });
  }
  expect(lines.join()).not.toContain(secret);
  expect(loggedEvents()).toEqual([
    expect.objectContaining({ level: "error", event: "other output", cause: "RangeError" }),
    expect.objectContaining({ level: "warn", event: "other output", stack: expect.stringMatching(/^at /) }),
  ]);
});
