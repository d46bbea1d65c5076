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
  const cause = new LoggableError("Redis: ledger reserve failed (timeout)");

  it.each([
    [
      "the message of a LoggableError",
      new AppError("service_unavailable", { cause }),
      { cause: cause.message },
    ],
    ["the code of an AppError without a cause", new AppError("flow_required"), { cause: "flow_required" }],
    ["no value that is not an error", secret, { cause: "unknown" }],
    ["nothing for nothing", undefined, {}],
  ])("returns %s", (_, error, expected) => {
    expect(describeError(error)).toEqual(expected);
  });

  it.each([
    ["a message", new TypeError(secret), "TypeError"],
    ["lines in its message", new TypeError(`first\n${secret}\n    at ${secret} (file.js:1:2)`), "TypeError"],
    ["no message", new TypeError(""), "TypeError"],
    ["an invalid name", Object.assign(new Error("x"), { name: secret }), "Error"],
  ])("returns only the name and the stack frames of any other error, with %s", (_, error, name) => {
    const described = describeError(error);
    expect(described.cause).toBe(name);
    expect(described.stack).toMatch(/^at .*log\.test\.ts/);
    expect(described.stack).not.toContain(secret);
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
