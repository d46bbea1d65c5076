import {
  ApiError,
  failureReason,
  getJson,
  mayHaveUsedToken,
  mayHaveSucceeded,
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

const noAnswer = "No answer came from the server. Check your connection and try again.";
const ourFault = "The fault is on our side. Please try again in a moment.";

test.each<[FakeReply | "offline", error: object, reason: string]>([
  [
    {
      status: 429,
      body: { success: false, code: "cooldown", message: "Please wait." },
      headers: { "Retry-After": "60" },
    },
    {
      ...{ message: "429: Please wait.", visitorMessage: "Please wait." },
      ...{ status: 429, code: "cooldown", retryAfterSeconds: 60 },
    },
    "Please wait.",
  ],
  // The text of a response is not for visitors.
  [
    { status: 502, body: "<h1>Bad Gateway</h1>" },
    { message: "502: <h1>Bad Gateway</h1>", visitorMessage: null },
    ourFault,
  ],
  // A hotel's network responds to every request with its own page.
  [{ status: 200, body: "<html>Log in</html>" }, { status: 200, visitorMessage: null }, ourFault],
  ["offline", { status: 0, visitorMessage: noAnswer }, noAnswer],
])("describes the error of %j", async (reply, expected, reason) => {
  const error = await catchApiError(reply);
  const { message, visitorMessage, status, code, retryAfterSeconds } = error;
  expect({ message, visitorMessage, status, code, retryAfterSeconds }).toMatchObject(expected);
  expect(failureReason(error)).toBe(reason);
  expect(getVisitorMessage(error, "fallback")).toBe(visitorMessage ?? "fallback");
});

test("says that the browser is offline", async () => {
  const onLine = jest.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { visitorMessage } = await catchApiError("offline");
  onLine.mockRestore();
  expect(visitorMessage).toBe("Your browser is offline. Check your connection and try again.");
});

test("uses the status text for an empty and for an unreadable body", async () => {
  const init = { status: 503, statusText: "Service Unavailable" };
  const broken = new Response(null, init);
  broken.text = () => Promise.reject(new Error("broken"));
  for (const response of [new Response("", init), broken]) {
    globalThis.fetch = () => Promise.resolve(response);
    await expect(getJson("/api/x")).rejects.toThrow("503: Service Unavailable");
  }
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
