import { act, fireEvent, render, screen } from "@testing-library/react";
import { flowIsOver, postDetails, statusReply, waitingStatus } from "@/components/flow/screens/test-data";
import { Verification } from "@/components/flow/screens/verification";
import { goTo, replaceWith } from "@/lib/client/browser/navigate";
import { installFakeApi, type FakeRoute } from "@/lib/client/api/test-fake-api";

jest.mock("@/lib/client/browser/navigate", () => ({ goTo: jest.fn(), replaceWith: jest.fn() }));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/lib/client/api/swr", () => jest.requireActual("@/lib/client/api/test-swr"));

const details = "GET /api/instagram/post-details";
const status = "GET /api/instagram/status";

async function show(routes: Record<string, FakeRoute> = {}) {
  const api = installFakeApi({
    [details]: { body: postDetails() },
    [status]: () => ({ body: statusReply() }),
    ...routes,
  });
  render(<Verification />);
  await pass(0);
  return api;
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  jest.mocked(goTo).mockClear();
  jest.mocked(replaceWith).mockClear();
});
afterEach(() => jest.useRealTimers());

test("a verified post shows what it is and leads on after half a second", async () => {
  const api = await show();
  expect(api.callsOf(details)[0]?.query.size).toBe(0);
  expect(api.callsOf(status)[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
  expect(screen.getByText("Post")).toBeVisible();
  expect(screen.getByText("Public")).toBeVisible();
  expect(screen.getByText("50 free likes")).toBeVisible();
  expect(screen.getByRole("link", { name: "Preview this post" })).toHaveAttribute(
    "href",
    "/preview/DAbc123XyZ_?from=url-entry",
  );
  expect(JSON.parse(sessionStorage.getItem("flow.post") ?? "")).toEqual(postDetails());

  fireEvent.click(screen.getByRole("button", { name: "Continue to Get Likes" }));
  expect(screen.getByRole("button", { name: "Processing..." })).toBeVisible();
  await pass(400);
  expect(goTo).not.toHaveBeenCalled();
  await pass(100);
  expect(goTo).toHaveBeenCalledWith("/get-likes/");
});

test("a post that cannot get likes leads to the private-account page, without asking for the status", async () => {
  const api = await show({
    [details]: { body: { success: false, code: "post_private", message: "Private." } },
  });
  expect(replaceWith).toHaveBeenCalledWith("/private-account-error/");
  expect(api.callsOf(status)).toHaveLength(0);
});

test.each<[string, FakeRoute, string]>([
  ["of the server", { status: 503, body: {} }, "The fault is on our side. Please try again in a moment."],
  ["of the lookup", { status: 503, body: { message: "We couldn't check it." } }, "We couldn't check it."],
  ["of the connection", "offline", "No answer came from the server. Check your connection and try again."],
])("a failure %s says whose it is, and can be tried again", async (_case, route, cause) => {
  const api = await show({ [details]: route });
  await pass(1_000);
  expect(screen.getByRole("alert")).toHaveTextContent(
    `Verification Error: We encountered an error verifying your post.${cause}`,
  );
  expect(screen.getByText("Failed:", { exact: false })).toBeInTheDocument();
  expect(api.callsOf(details)).toHaveLength(2);
  api.routes[details] = { body: postDetails() };
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await pass(0);
  expect(screen.getByRole("button", { name: "Continue to Get Likes" })).toBeVisible();
  expect(screen.queryByText("Failed:", { exact: false })).not.toBeInTheDocument();
});

test("a flow that is over leads to the beginning", async () => {
  await show({ [details]: flowIsOver });
  await pass(1_000);
  expect(screen.getByRole("heading", { name: "You Need to Start from the Beginning" })).toBeVisible();
});

test("a failed status check is said as such", async () => {
  await show({ [status]: { status: 503, body: {} } });
  expect(screen.getByRole("alert")).toHaveTextContent("Unable to check API limits");
  expect(screen.getByText("Failed:", { exact: false })).toBeInTheDocument();
});

test.each([
  ["cooldown", "You've Already Received Free Likes"],
  ["daily_cap", "You've used all 6 free requests of the last 24 hours."],
  ["address_cap", "Too many requests came from your network today."],
] as const)(
  "a visitor who has to wait (%s) reads why; at the end the status is asked again",
  async (reason, words) => {
    const api = await show({ [status]: () => ({ body: waitingStatus(30, reason) }) });
    expect(screen.getByRole("heading", { name: "Rate Limit Reached" })).toBeVisible();
    expect(screen.getByRole("heading", { name: words })).toBeVisible();
    api.routes[status] = () => ({ body: statusReply() });
    await pass(31_000);
    expect(api.callsOf(status)).toHaveLength(2);
    expect(screen.getByRole("button", { name: "Continue to Get Likes" })).toBeVisible();
  },
);

test("an order that still waits for its outcome is mentioned", async () => {
  await show({ [status]: () => ({ body: statusReply({ pending: true }) }) });
  expect(screen.getByText("An earlier request is still being processed")).toBeVisible();
});

test("Go Back forgets the round as the page goes", async () => {
  await show();
  fireEvent.click(screen.getByRole("button", { name: "Go Back" }));
  expect(goTo).toHaveBeenCalledWith("/");
  act(() => void window.dispatchEvent(new Event("pagehide")));
  expect(sessionStorage).toHaveLength(0);
});
