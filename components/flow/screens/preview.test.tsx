import { act, fireEvent, render, screen } from "@testing-library/react";
import { unload } from "swr";
import { Preview } from "@/components/flow/screens/preview";
import {
  dailyUsage,
  liveTexts,
  postDetails,
  receipt,
  statusReply,
  waitingStatus,
} from "@/testing/jest/flow-data";
import { toast } from "@/lib/client/toast-store";
import { installFakeApi, type FakeRoute } from "@/testing/jest/fake-api";

jest.mock("@/lib/client/browser/navigate", () => ({ goTo: jest.fn() }));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/lib/client/toast-store", () => ({
  ...jest.requireActual<typeof import("@/lib/client/toast-store")>("@/lib/client/toast-store"),
  toast: jest.fn(),
}));

const details = "GET /api/instagram/post-details";
const like = "POST /api/instagram/like";
const status = "GET /api/instagram/status";
const usage = "GET /api/instagram/daily-usage";
const postId = "DAbc123XyZ_";

async function renderPreview(
  routes: Record<string, FakeRoute> = {},
  overrides: Parameters<typeof postDetails>[0] = {},
) {
  const api = installFakeApi({
    [details]: { body: postDetails(overrides) },
    [status]: () => ({ body: statusReply() }),
    [usage]: { body: dailyUsage() },
    [like]: { body: { success: true, order: receipt } },
    "GET /api/instagram/receipt": { body: { success: true, order: null } },
    ...routes,
  });
  render(<Preview texts={liveTexts} />);
  await advance(0);
  return api;
}

const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

async function getLikes() {
  fireEvent.click(screen.getByRole("button", { name: "Get 50 Free Likes" }));
  await advance(0);
}

beforeEach(() => {
  unload({ revalidate: false });
  jest.useFakeTimers();
  jest.mocked(toast).mockClear();
  sessionStorage.clear();
  window.history.replaceState(null, "", `/preview/${postId}`);
});
afterEach(() => jest.useRealTimers());

it("does not call a post eligible that was not checked, while the visitor has to wait", async () => {
  await renderPreview({ [status]: () => ({ body: waitingStatus(60) }) }, { checked: false, type: "reel" });
  await getLikes();
  expect(screen.getByText("Your reel has not been checked.", { exact: false })).toBeVisible();
  expect(document.body).not.toHaveTextContent(/verified|eligible/);
});

it("shows a picture that fails to load as not available", async () => {
  await renderPreview();
  fireEvent.error(screen.getByRole("img", { name: "The post by sample_account" }));
  expect(screen.getByText("Image not available")).toBeVisible();
  expect(screen.queryByText("Limited preview due to API permissions")).not.toBeInTheDocument();
  const link = screen.getByRole("link", { name: "Open it to make sure it is yours" });
  expect(link).toHaveAttribute("href", `https://www.instagram.com/p/${postId}/`);
});

it("reports a missing post and offers another post instead of a retry", async () => {
  await renderPreview({ [details]: { body: { success: false, code: "post_missing", message: "Gone." } } });
  expect(screen.getByRole("alert")).toHaveTextContent(
    /^Failed to load post detailsGone\.Please make sure that the content is public/,
  );
  expect(screen.getByRole("link", { name: "Try Another Post" })).toHaveAttribute("href", "/#post-link");
  expect(screen.queryByRole("button", { name: "Try Again" })).not.toBeInTheDocument();
});

it("loads the post again after a failed request", async () => {
  const api = await renderPreview({ [details]: "offline" });
  await advance(1_000);
  api.routes[details] = { body: postDetails() };
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await advance(0);
  expect(screen.getByRole("button", { name: "Get 50 Free Likes" })).toBeEnabled();
});

it("shows the countdown to a visitor who has to wait, and posts nothing", async () => {
  const api = await renderPreview();
  api.routes[status] = () => ({ body: waitingStatus(60) });
  await getLikes();
  expect(screen.getByRole("heading", { name: "Limit Reached" })).toHaveFocus();
  expect(screen.getByRole("timer")).toHaveTextContent(/^00:0(1:00|0:59)$/);
  expect(api.callsOf(like)).toHaveLength(0);

  api.routes[status] = () => ({ body: statusReply() });
  await advance(61_000);
  expect(screen.getByRole("heading", { name: /Get Likes for Your Post/ })).toBeVisible();
});

it("disables the button with an alert until the daily limit resets", async () => {
  const api = await renderPreview({ [usage]: { body: dailyUsage(true) } });
  const button = () => screen.getByRole("button", { name: "Get 50 Free Likes" });
  expect(screen.getByRole("alert")).toHaveTextContent(
    "Our daily API limit has been reached. Please try again tomorrow.",
  );
  expect(button()).toBeDisabled();
  api.routes[usage] = { body: dailyUsage() };
  await advance(60_000);
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  expect(button()).toBeEnabled();
  expect(api.callsOf(like)).toHaveLength(0);
});

it("shows the receipt, and requests the status before and after the request for likes", async () => {
  const api = await renderPreview();
  await getLikes();
  expect(screen.getByRole("heading", { name: "Likes Delivered Successfully!" })).toHaveFocus();
  expect(screen.getByText(receipt.reference)).toBeVisible();
  expect(api.calls.map((call) => call.route).slice(-3)).toEqual([status, like, status]);
  expect(api.callsOf(like)[0]?.body).toEqual({ instagramUrl: `https://www.instagram.com/p/${postId}/` });
});

it("shows a lost response as a toast with the default message and a view with the cause", async () => {
  await renderPreview({ [like]: "offline" });
  await getLikes();
  expect(screen.getByRole("heading", { name: "Oops! Something went wrong" })).toHaveFocus();
  const description = "Failed to send likes. Please try again.";
  expect(toast).toHaveBeenCalledWith({ variant: "destructive", title: "Error", description });
  expect(screen.getByText(/^No answer came from the server/)).toBeVisible();
});

it.each([
  ["flow_required", ["Back to Home"]],
  ["delivery_refused", ["Try Another Post", "Back to Home"]],
])("offers no retry after %s; the offered links are %j", async (code, links) => {
  await renderPreview({ [like]: { status: 422, body: { code, message: "The server's words." } } });
  await getLikes();
  expect(screen.getByText("The server's words.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try Again" })).not.toBeInTheDocument();
  expect(screen.queryAllByRole("link").map(({ textContent }) => textContent)).toEqual(links);
});

it("after daily_limit, disables the button and says from when requests are possible", async () => {
  await renderPreview({ [like]: { status: 429, body: { code: "daily_limit", message: "Limit reached." } } });
  await getLikes();
  expect(screen.getByRole("alert")).toHaveTextContent(
    /Limit reached\.Available again in: 1 hourResets at: 00:00 GMTYour time: .+Daily limit: 100,000 likes/,
  );
  expect(screen.getByRole("button", { name: "Get 50 Free Likes" })).toBeDisabled();
});

it("posts nothing after a failed status request", async () => {
  const api = await renderPreview({ [status]: "offline" });
  await getLikes();
  expect(screen.getByRole("alert")).toHaveTextContent(/^Unable to check API limits.+No answer came/);
  expect(api.callsOf(like)).toHaveLength(0);
});

it("shows the receipt while the status after the order is still unknown", async () => {
  const api = await renderPreview();
  let asked = 0;
  api.routes[status] = () => ((asked += 1) === 1 ? { body: statusReply() } : "silent");
  await getLikes();
  expect(screen.getByText(receipt.reference)).toBeVisible();
});

it("reports a status request that fails at the second press", async () => {
  const api = await renderPreview({ [like]: { status: 500, body: {} } });
  await getLikes();
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  api.routes[status] = { status: 503, body: {} };
  await getLikes();
  expect(screen.getByRole("alert")).toHaveTextContent("Unable to check API limits");
  expect(api.callsOf(like)).toHaveLength(1);
});

it("checks a pending order again with the same Idempotency-Key", async () => {
  const api = await renderPreview({
    [like]: {
      status: 503,
      headers: { "Retry-After": "5" },
      body: { code: "order_pending", message: "Wait." },
    },
  });
  await getLikes();
  expect(screen.getByText("Your request is being processed")).toBeVisible();
  await advance(5_100);
  api.routes[like] = { body: { success: true, order: receipt } };
  fireEvent.click(screen.getByRole("button", { name: "Check again" }));
  await advance(0);
  expect(screen.getByRole("heading", { name: "Likes Delivered Successfully!" })).toBeVisible();
  const keys = api.callsOf(like).map((call) => call.headers.get("Idempotency-Key"));
  expect(new Set(keys).size).toBe(1);
});

it.each([
  ["open dots while only the status is requested", status, "Nothing requested"],
  ["rings while the request for likes is on its way", like, "50 requested, not confirmed yet"],
])("draws %s", async (_title, route, name) => {
  const api = await renderPreview();
  api.routes[route] = "silent";
  await getLikes();
  expect(screen.getByText(name)).toBeVisible();
});
