import {
  ApiError,
  failureReason,
  getJson,
  mayHaveUsedToken,
  mayHaveSucceeded,
  postJson,
  visitorMessageOf,
} from "./fetch-json";
import { installFakeApi, type FakeReply } from "./test-fake-api";

async function failureOf(reply: FakeReply | "offline"): Promise<ApiError> {
  installFakeApi({ "GET /api/x": reply });
  const error: unknown = await getJson("/api/x").then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error("expected an ApiError");
  return error;
}

test("a failure's message is the status, a colon and the server's message; screens get the message alone", async () => {
  const body = { success: false, code: "cooldown", message: "Please wait." };
  const error = await failureOf({ status: 429, body, headers: { "Retry-After": "60" } });
  expect(error.message).toBe("429: Please wait.");
  expect(error.visitorMessage).toBe("Please wait.");
  expect(error.status).toBe(429);
  expect(error.code).toBe("cooldown");
  expect(error.data).toEqual(body);
  expect(error.retryAfterSeconds).toBe(60);
});

test("without a message field the message is the response's text, which no visitor reads", async () => {
  const error = await failureOf({ status: 502, body: "<h1>Bad Gateway</h1>" });
  expect(error.message).toBe("502: <h1>Bad Gateway</h1>");
  expect(error.data).toBeUndefined();
  expect(visitorMessageOf(error, "Please try again.")).toBe("Please try again.");
});

test("without a body it is the status text", async () => {
  globalThis.fetch = () =>
    Promise.resolve(new Response("", { status: 503, statusText: "Service Unavailable" }));
  await expect(getJson("/api/x")).rejects.toThrow("503: Service Unavailable");
});

test("an unreadable body gives the status and the status text", async () => {
  const broken = new Response(null, { status: 500, statusText: "Internal Server Error" });
  broken.text = () => Promise.reject(new Error("broken"));
  globalThis.fetch = () => Promise.resolve(broken);
  await expect(getJson("/api/x")).rejects.toThrow("500: Internal Server Error");
});

test("no answer is status 0 with plain words", async () => {
  const error = await failureOf("offline");
  expect(error.status).toBe(0);
  expect(error.visitorMessage).toBe("No answer came from the server. Check your connection and try again.");
});

test("a browser that knows that it is offline is told so", async () => {
  const onLine = jest.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const error = await failureOf("offline");
  onLine.mockRestore();
  expect(error.status).toBe(0);
  expect(error.visitorMessage).toBe("Your browser is offline. Check your connection and try again.");
});

test.each<[string, FakeReply | "offline", string]>([
  ["the server's words", { status: 503, body: { message: "Not now." } }, "Not now."],
  ["that no answer came", "offline", "No answer came from the server. Check your connection and try again."],
  ["whose fault it is", { status: 500 }, "The fault is on our side. Please try again in a moment."],
])("the cause of a failure is %s", async (_case, reply, words) => {
  expect(failureReason(await failureOf(reply))).toBe(words);
});

test("an answer that is no JSON is a failure, even with status 200", async () => {
  const error = await failureOf({ status: 200, body: "<html>Log in to the hotel's network</html>" });
  expect(error.status).toBe(200);
  expect(error.visitorMessage).toBeNull();
});

test("the messages of single fields are kept, whatever else the answer holds", async () => {
  const body = { message: "Invalid input", fields: { url: "Must be a valid URL", odd: 3 } };
  expect((await failureOf({ status: 422, body })).fields).toEqual({ url: "Must be a valid URL" });
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
  "after %j the call may have been taken: %p, and its token is spent under a key: %p",
  async (reply, taken, spent) => {
    const error = await failureOf(reply);
    expect(mayHaveSucceeded(error)).toBe(taken);
    expect(mayHaveUsedToken(error, true)).toBe(spent);
    expect(mayHaveUsedToken(error, false)).toBe(taken);
  },
);

test("a post sends JSON with cookies, the idempotency key and the fingerprint", async () => {
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
