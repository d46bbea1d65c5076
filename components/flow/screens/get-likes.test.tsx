import { act, fireEvent, render, screen } from "@testing-library/react";
import { unload } from "swr";
import { notCheckedText } from "@/components/flow/parts/post-card";
import { GetLikes } from "@/components/flow/screens/get-likes";
import {
  dailyUsage,
  flowEndedReply,
  liveTexts,
  postDetails,
  receipt,
  statusReply,
  waitingStatus,
} from "@/testing/jest/flow-data";
import { goTo, reloadPage } from "@/lib/client/browser/navigate";
import { readLastOrder } from "@/lib/client/browser/last-order";
import { installFakeApi, type FakeReply, type FakeRoute } from "@/testing/jest/fake-api";

jest.mock("@/lib/client/browser/navigate", () => ({ goTo: jest.fn(), reloadPage: jest.fn() }));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));

const details = "GET /api/instagram/post-details";
const like = "POST /api/instagram/like";
const receiptRoute = "GET /api/instagram/receipt";
const accepted: FakeReply = { body: { success: true, order: receipt } };
const pending: FakeReply = {
  status: 503,
  headers: { "Retry-After": "30" },
  body: {
    success: false,
    code: "order_pending",
    message: "Your request is being processed. It has not been confirmed yet; please check back in a minute.",
  },
};

async function renderGetLikes(routes: Record<string, FakeRoute> = {}, adUnit?: string) {
  const api = installFakeApi({
    [details]: { body: postDetails() },
    "GET /api/instagram/daily-usage": { body: dailyUsage() },
    "GET /api/instagram/status": { body: statusReply() },
    [like]: accepted,
    [receiptRoute]: { body: { success: true, order: null } },
    ...routes,
  });
  const view = render(<GetLikes acceptedDots={liveTexts.dots} adUnit={adUnit} />);
  await advance(0);
  return { api, ...view };
}

const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const sendButton = () => screen.getByRole("button", { name: "Send 50 Free Likes" });
const failedStep = () => screen.queryByText("Failed:", { exact: false });
const loadErrorText = "Error Loading PostWe couldn't retrieve your post details. Please try again.";
const keys = (api: { callsOf: (route: string) => { headers: Headers }[] }) =>
  api.callsOf(like).map((call) => call.headers.get("Idempotency-Key"));

/** Clicks the send button, and waits until the page sends the request after the simulated progress. */
async function sendAndWait() {
  fireEvent.click(sendButton());
  await advance(15_900);
}

beforeEach(() => {
  unload({ revalidate: false });
  jest.useFakeTimers();
  jest.spyOn(Math, "random").mockReturnValue(0.5);
  sessionStorage.clear();
  localStorage.clear();
  jest.mocked(goTo).mockClear();
  jest.mocked(reloadPage).mockClear();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it.each([
  [undefined, 0],
  ["1111111111", 1],
])("with the ad unit %s, renders %s advertisements", async (unit, boxes) => {
  await renderGetLikes({}, unit);
  expect(screen.queryAllByText("Advertisement")).toHaveLength(boxes);
  expect(document.querySelectorAll("aside")).toHaveLength(boxes);
});

it("shows the start-over notice when the flow has ended", async () => {
  await renderGetLikes({ [details]: flowEndedReply });
  await advance(1_000);
  expect(screen.getByRole("heading", { name: "You Need to Start from the Beginning" })).toBeVisible();
  expect(screen.getByText(/you have started again since, perhaps in another tab/)).toBeVisible();

  const link = screen.getByRole("link", { name: "Start from Step 1" });
  expect(link).toHaveAttribute("href", "/");
  // `fireEvent.click` returns false if the page cancels the click. The page must not cancel a Ctrl+click.
  expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
  expect(fireEvent.click(link)).toBe(false);
  fireEvent.click(screen.getByRole("link", { name: "Processing..." }));
  await advance(499);
  expect(goTo).not.toHaveBeenCalled();
  await advance(1);
  expect(jest.mocked(goTo).mock.calls).toEqual([["/"]]);
});

it("does not request the post details that step 2 stored in this tab", async () => {
  sessionStorage.setItem("flow.post", JSON.stringify(postDetails()));
  const { api } = await renderGetLikes();
  expect(screen.getByText("DAbc123XyZ_")).toBeVisible();
  expect(api.callsOf(details)).toEqual([]);
});

it("does not call a post public that step 2 stored as not checked", async () => {
  sessionStorage.setItem("flow.post", JSON.stringify(postDetails({ checked: false, type: "reel" })));
  await renderGetLikes();
  expect(screen.getByText("Not checked")).toBeVisible();
  expect(screen.getByText("Not checked:")).toBeVisible();
  expect(screen.getByRole("heading", { level: 1 })).toHaveAccessibleDescription(
    notCheckedText({ type: "reel" }),
  );
  expect(screen.getByRole("heading", { name: "This Reel Was Not Checked" })).toBeVisible();
  expect(document.body).not.toHaveTextContent(/public|ready/i);
  expect(sendButton()).toBeEnabled();
});

const withoutChecked = JSON.stringify(postDetails({ checked: undefined }));
it.each(["{", "null", '{"success":true}', '{"success":true,"postId":1,"type":"story"}', withoutChecked])(
  "requests the post details when the stored value is damaged: %s",
  async (stored) => {
    sessionStorage.setItem("flow.post", stored);
    const { api } = await renderGetLikes();
    expect(screen.getByText("DAbc123XyZ_")).toBeVisible();
    expect(api.callsOf(details)).toHaveLength(1);
  },
);

it("retries the details request once, then shows the error with a retry button", async () => {
  const { api } = await renderGetLikes({ [details]: { status: 503, body: {} } });
  await advance(1_000);
  expect(screen.getByRole("alert")).toHaveTextContent(`${loadErrorText}The fault is on our side.`);
  expect(failedStep()).toBeInTheDocument();
  await advance(60_000);
  expect(api.callsOf(details)).toHaveLength(2);

  api.routes[details] = "silent";
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await advance(0);
  expect(screen.getByText("Loading Post Details")).toBeVisible();
  expect(failedStep()).not.toBeInTheDocument();
});

it("reports a missing post and offers another post instead of a retry", async () => {
  const message = "We couldn't find this post.";
  await renderGetLikes({ [details]: { body: { success: false, code: "post_missing", message } } });
  expect(screen.getByRole("alert")).toHaveTextContent(loadErrorText + message);
  expect(screen.getByRole("link", { name: "Try Another Post" })).toHaveAttribute("href", "/#post-link");
  expect(screen.queryByRole("button", { name: "Try Again" })).not.toBeInTheDocument();
});

it("shows the progress, then sends one request and opens the success page", async () => {
  const { api } = await renderGetLikes();
  fireEvent.click(sendButton());
  fireEvent.click(screen.getByRole("button", { name: "Sending Likes..." }));
  await advance(15_000);
  expect(screen.getByText("100%")).toBeVisible();
  await advance(400);
  expect(api.callsOf(like)).toHaveLength(0);
  await advance(200);
  expect(api.callsOf(like)).toHaveLength(1);
  expect(api.callsOf(like)[0]?.body).toEqual({ instagramUrl: "https://www.instagram.com/p/DAbc123XyZ_/" });
  expect(api.callsOf(like)[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
  expect(keys(api)[0]).toMatch(/^[0-9a-f-]{36}$/);
  // The dots show the acceptance before the page changes.
  expect(goTo).not.toHaveBeenCalled();
  expect(screen.getByRole("img", { name: "50 requested and accepted" })).toHaveAttribute(
    "data-dots",
    "accepted",
  );
  await advance(250);
  expect(goTo).toHaveBeenCalledWith("/success/");

  await advance(30_000);
  expect(api.callsOf(like)).toHaveLength(1);
});

it("shows a rejection as an alert and uses a new Idempotency-Key for the next attempt", async () => {
  const rejected = { status: 422, body: { code: "invalid", message: "Not accepted." } };
  const { api } = await renderGetLikes({ [like]: rejected });
  await sendAndWait();
  expect(screen.getByRole("alert")).toHaveTextContent("Error: Not accepted.");
  expect(screen.queryByText("+50 likes coming")).not.toBeInTheDocument();
  expect(failedStep()).toBeInTheDocument();
  expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
  fireEvent.click(sendButton());
  expect(failedStep()).not.toBeInTheDocument();
  await advance(15_600);
  const [first, second] = keys(api);
  expect(second).not.toBe(first);
  expect(goTo).not.toHaveBeenCalled();
});

it.each([
  ["delivery_refused", "Try Another Post", "/#post-link"],
  ["post_mismatch", "Start from Step 1", "/"],
])("offers a useful next action after %s: %s", async (code, name, href) => {
  await renderGetLikes({ [like]: { status: 422, body: { code, message: "No." } } });
  await sendAndWait();
  expect(screen.getByRole("link", { name })).toHaveAttribute("href", href);
  expect(screen.queryAllByRole("button", { name: "Send 50 Free Likes" })).toEqual([]);
});

it("shows the default message and a message about the connection when no response arrives", async () => {
  await renderGetLikes({ [like]: "offline" });
  await sendAndWait();
  expect([...screen.getByRole("alert").querySelectorAll("p")].map((line) => line.textContent)).toEqual([
    "Error: Failed to send likes. Please try again.",
    "No answer came from the server. Check your connection and try again.",
    "Your request may have arrived. It never counts twice.",
  ]);
});

it.each<[string, FakeRoute]>([
  ["no connection", "offline"],
  ["an unavailable service", { status: 503, body: { code: "service_unavailable", message: "Not now." } }],
  ["a broken gateway", { status: 502, body: "<h1>Bad Gateway</h1>" }],
])("sends the same Idempotency-Key again after %s", async (_case, reply) => {
  const { api } = await renderGetLikes({ [like]: reply });
  await sendAndWait();
  expect(screen.getByRole("alert")).toBeVisible();
  api.routes[like] = accepted;
  await sendAndWait();
  const [first, second] = keys(api);
  expect(second).toBe(first);
  expect(goTo).toHaveBeenCalledWith("/success/");
});

it("draws open dots until the request goes out, then rings, and rings for an unconfirmed order", async () => {
  const { api } = await renderGetLikes({ [like]: "silent" });
  fireEvent.click(sendButton());
  await advance(14_900);
  expect(screen.getByRole("progressbar", { name: "Progress" })).toHaveValue(99);
  expect(document.querySelector("[data-dots]")).toHaveAttribute("data-dots", "open");
  expect(screen.queryByRole("img", { name: "Nothing requested" })).not.toBeInTheDocument();
  expect(api.callsOf(like)).toEqual([]);
  await advance(1_000);
  expect(api.callsOf(like)).toHaveLength(1);
  expect(screen.getByRole("img", { name: "50 requested, not confirmed yet" })).toHaveAttribute(
    "data-dots",
    "requested",
  );
});

it("shows a pending order as neither success nor failure, and checks again with the same Idempotency-Key", async () => {
  const { api } = await renderGetLikes({ [like]: pending });
  await sendAndWait();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  expect(goTo).not.toHaveBeenCalled();
  expect(screen.getByText("Your request is being processed")).toBeVisible();
  expect(document.querySelector("[data-dots]")).toHaveAttribute("data-dots", "requested");
  expect(screen.getByText("It has not been confirmed yet; please check back in a minute.")).toBeVisible();
  expect(screen.queryByText("+50 likes coming")).not.toBeInTheDocument();
  expect(failedStep()).not.toBeInTheDocument();
  // The only enabled button checks the order. The send button is not on the page.
  const buttons = () =>
    screen.getAllByRole("button").filter((button) => !(button as HTMLButtonElement).disabled);
  expect(buttons().map(({ textContent }) => textContent)).toEqual(["Check again in 30 s"]);
  const [check] = buttons();
  check!.focus();
  fireEvent.click(check!);
  await advance(29_000);
  expect(check).toHaveTextContent("Check again in 1 s");
  expect(check).toHaveAttribute("aria-disabled", "true");
  expect(api.callsOf(like)).toHaveLength(1);
  await advance(1_000);
  expect(check).toHaveTextContent(/^Check again$/);
  expect(check).not.toHaveAttribute("aria-disabled");
  expect(screen.getByText("You can check again now.")).toBeInTheDocument();

  fireEvent.click(check!);
  await advance(0);
  expect(check).toHaveTextContent("Check again in 30 s");
  expect(check).toHaveFocus();
  await advance(31_000);
  api.routes[like] = accepted;
  fireEvent.click(screen.getByRole("button", { name: "Check again" }));
  await advance(250);
  expect(goTo).toHaveBeenCalledWith("/success/");
  expect(new Set(keys(api)).size).toBe(1);
  expect(api.callsOf(like)).toHaveLength(3);
});

it("shows the end of a cooldown, requests the status then, and returns to the post", async () => {
  const { api } = await renderGetLikes({
    [like]: { status: 429, body: { code: "cooldown", message: "Wait." } },
  });
  api.routes["GET /api/instagram/status"] = () => ({ body: waitingStatus(90) });
  await sendAndWait();
  expect(screen.getByRole("heading", { name: "Rate Limit Reached" })).toHaveFocus();
  expect(screen.getByRole("timer")).toHaveTextContent(/^00:01:(30|29)$/);

  const statusRequests = api.callsOf("GET /api/instagram/status").length;
  api.routes["GET /api/instagram/status"] = () => ({ body: statusReply() });
  await advance(91_000);
  expect(api.callsOf("GET /api/instagram/status")).toHaveLength(statusRequests + 1);
  expect(sendButton()).toBeEnabled();
});

it("disables the button while the daily limit is reached", async () => {
  const { api } = await renderGetLikes({ "GET /api/instagram/daily-usage": { body: dailyUsage(true) } });
  expect(sendButton()).toBeDisabled();
  fireEvent.click(sendButton());
  await advance(30_000);
  expect(api.callsOf(like)).toHaveLength(0);

  api.routes["GET /api/instagram/daily-usage"] = { body: dailyUsage() };
  await advance(60_000);
  expect(sendButton()).toBeEnabled();
});

describe("during the progress", () => {
  const usage = "GET /api/instagram/daily-usage";
  const goOffline = () => {
    jest.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event("offline")));
    return advance(0);
  };

  it.each<[string, () => unknown, string, boolean]>([
    [
      "Stop",
      () => fireEvent.click(screen.getByRole("button", { name: "Stop" })),
      "Ready to Boost This Post",
      true,
    ],
    ["a lost connection", goOffline, "Your browser is offline. Check your connection and try again.", true],
    ["a reached daily limit", () => advance(60_000), "No Likes Left Today", false],
  ])("%s ends it at once, and no request follows", async (name, end, text, canSend) => {
    const { api } = await renderGetLikes();
    if (name.includes("limit")) {
      // The page polls the usage 60 s after it opened, which is 5 s after the click.
      await advance(55_000);
      api.routes[usage] = { body: dailyUsage(true) };
    }
    fireEvent.click(sendButton());
    await advance(1_000);
    expect(screen.getByText(/^Your request is sent when the bar is full; until then nothing/)).toBeVisible();
    if (end === goOffline) api.routes[receiptRoute] = "offline";
    await end();
    expect(screen.getByText(text)).toBeVisible();
    expect((sendButton() as HTMLButtonElement).disabled).toBe(!canSend);
    if (name === "Stop") expect(sendButton()).toHaveFocus();
    await advance(30_000);
    expect(api.callsOf(like)).toHaveLength(0);
  });

  it("sends the request and polls the usage if only the browser says that it is offline", async () => {
    const { api } = await renderGetLikes();
    await goOffline();
    fireEvent.click(sendButton());
    await goOffline();
    await advance(60_000);
    expect(api.callsOf(like)).toHaveLength(1);
    expect(api.callsOf(usage)).toHaveLength(2);
  });

  it.each<[string, FakeRoute, boolean]>([
    ["an accepted order", accepted, true],
    ["the end of the flow", flowEndedReply, true],
    ["an open flow", { body: { success: true, order: null } }, false],
    ["an unavailable server", { status: 503, body: { code: "service_unavailable" } }, false],
  ])("%s leads to what the server shows now: %#", async (_, reply, reloads) => {
    await renderGetLikes({ [receiptRoute]: reply });
    fireEvent.click(sendButton());
    await advance(1_000);
    expect(jest.mocked(reloadPage).mock.calls).toHaveLength(reloads ? 1 : 0);
  });
});

it("says from when requests are possible after a refusal for the daily limit, and then enables the button", async () => {
  const headers = { "Retry-After": "60" };
  const { api } = await renderGetLikes({
    [like]: { status: 429, headers, body: { code: "daily_limit", message: "Limit reached." } },
  });
  await sendAndWait();
  expect(screen.getByRole("alert")).toHaveTextContent(
    /Error: Limit reached\.Available again in: 1 hourResets at: 00:00 GMTYour time: .+Daily limit: 100,000 likes/,
  );
  expect(screen.getByRole("button", { name: "Add to calendar" })).toBeVisible();
  expect(sendButton()).toBeDisabled();
  api.routes[like] = accepted;
  await advance(60_000);
  expect(sendButton()).toBeEnabled();
});

it.each([{}, { success: true }, { success: true, order: { ...receipt, acceptedAt: "soon" } }])(
  "does not treat %j as an accepted order",
  async (body) => {
    await renderGetLikes({ [like]: { body } });
    await sendAndWait();
    expect(screen.getByRole("alert")).toHaveTextContent("Error: Failed to send likes. Please try again.");
    expect(goTo).not.toHaveBeenCalled();
  },
);

it("stores the time of the next request and the usage, so that the home page can show them", async () => {
  const { dailyLimit } = dailyUsage();
  await renderGetLikes({ [like]: { body: { success: true, order: receipt, dailyLimit } } });
  await sendAndWait();
  expect(readLastOrder()).toMatchObject({ nextAvailable: receipt.nextAvailable, dailyLimit });
});

it("stops the progress when the browser restores the page from the back/forward cache", async () => {
  const { api } = await renderGetLikes();
  fireEvent.click(sendButton());
  await advance(5_000);
  act(() => void window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  expect(sendButton()).toBeEnabled();
  await advance(30_000);
  expect(api.callsOf(like)).toHaveLength(0);
});
