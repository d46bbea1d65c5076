import {
  ApiError,
  failureReason,
  getJson,
  mayHaveUsedToken,
  mayHaveSucceeded,
  postJson,
  getVisitorMessage,
} from "./api-client";
import { installFakeApi, type FakeReply } from "@/testing/jest/fake-api";

async function catchApiError(reply: FakeReply | "offline"): Promise<ApiError> {
  installFakeApi({ "GET /api/x": reply });
  const error: unknown = await getJson("/api/x").then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error("expected an ApiError");
  return error;
}

test("includes the status in the error message but not in the visitor message", async () => {
  const body = { success: false, code: "cooldown", message: "Please wait." };
  const error = await catchApiError({ status: 429, body, headers: { "Retry-After": "60" } });
  expect(error.message).toBe("429: Please wait.");
  expect(error.visitorMessage).toBe("Please wait.");
  expect(error).toMatchObject({ status: 429, code: "cooldown", retryAfterSeconds: 60 });
});

test("uses the response text for the error message, but not for the visitor message", async () => {
  const error = await catchApiError({ status: 502, body: "<h1>Bad Gateway</h1>" });
  expect(error.message).toBe("502: <h1>Bad Gateway</h1>");
  expect(getVisitorMessage(error, "Please try again.")).toBe("Please try again.");
});

test("uses the status text for an empty body", async () => {
  globalThis.fetch = () =>
    Promise.resolve(new Response("", { status: 503, statusText: "Service Unavailable" }));
  await expect(getJson("/api/x")).rejects.toThrow("503: Service Unavailable");
});

test("uses the status text for an unreadable body", async () => {
  const broken = new Response(null, { status: 500, statusText: "Internal Server Error" });
  broken.text = () => Promise.reject(new Error("broken"));
  globalThis.fetch = () => Promise.resolve(broken);
  await expect(getJson("/api/x")).rejects.toThrow("500: Internal Server Error");
});

test.each([
  [true, "No answer came from the server. Check your connection and try again."],
  [false, "Your browser is offline. Check your connection and try again."],
])("reports a lost connection with status 0 and a message (online: %s)", async (online, message) => {
  const onLine = jest.spyOn(navigator, "onLine", "get").mockReturnValue(online);
  const error = await catchApiError("offline");
  onLine.mockRestore();
  expect(error).toMatchObject({ status: 0, visitorMessage: message });
});

test.each<[string, FakeReply | "offline", string]>([
  ["the server's message", { status: 503, body: { message: "Not now." } }, "Not now."],
  ["a lost connection", "offline", "No answer came from the server. Check your connection and try again."],
  ["the fallback message", { status: 500 }, "The fault is on our side. Please try again in a moment."],
])("returns the failure reason: %s", async (_case, reply, expected) => {
  expect(failureReason(await catchApiError(reply))).toBe(expected);
});

test("rejects a response without JSON, even with status 200", async () => {
  const error = await catchApiError({ status: 200, body: "<html>Log in to the hotel's network</html>" });
  expect(error.status).toBe(200);
  expect(error.visitorMessage).toBeNull();
});

test.each<[FakeReply | "offline", boolean, boolean]>([
  ["offline", true, false],
  [{ status: 200, body: "<html>" }, true, true],
  [{ status: 409, body: { code: "in_progress" } }, true, false],
  [{ status: 409, body: { code: "order_abandoned" } }, false, false],
  [{ status: 422 }, false, false],
  [{ status: 429 }, true, false],
  [{ status: 503 }, true, true],
])(
  "evaluates the error of %j: mayHaveSucceeded %p, mayHaveUsedToken with an Idempotency-Key %p",
  async (reply, succeeded, usedToken) => {
    const error = await catchApiError(reply);
    expect(mayHaveSucceeded(error)).toBe(succeeded);
    expect(mayHaveUsedToken(error, true)).toBe(usedToken);
    expect(mayHaveUsedToken(error, false)).toBe(succeeded);
  },
);

test("sends JSON with cookies, the idempotency key and the fingerprint in a POST request", async () => {
  const api = installFakeApi({ "POST /api/x": { body: { success: true } } });
  const fetchSpy = jest.spyOn(globalThis, "fetch");
  await postJson("/api/x", { a: 1 }, { idempotencyKey: "key-1", fingerprint: "fp-1" });
  expect(fetchSpy.mock.calls[0]?.[1]?.credentials).toBe("include");
  const [call] = api.calls;
  expect(call?.body).toEqual({ a: 1 });
  expect(call?.headers.get("Content-Type")).toBe("application/json");
  expect(call?.headers.get("Idempotency-Key")).toBe("key-1");
  expect(call?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
});
