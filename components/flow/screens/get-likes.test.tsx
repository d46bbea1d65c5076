import { act, fireEvent, render, screen } from "@testing-library/react";
import { GetLikes } from "@/components/flow/screens/get-likes";
import {
  dailyUsage,
  flowIsOver,
  postDetails,
  receipt,
  statusReply,
  waitingStatus,
} from "@/components/flow/screens/test-data";
import { goTo } from "@/lib/client/browser/navigate";
import { installFakeApi, type FakeReply, type FakeRoute } from "@/lib/client/api/test-fake-api";

jest.mock("@/lib/client/browser/navigate", () => ({ goTo: jest.fn() }));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/lib/client/api/swr", () => jest.requireActual("@/lib/client/api/test-swr"));

const details = "GET /api/instagram/post-details";
const like = "POST /api/instagram/like";
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

async function show(routes: Record<string, FakeRoute> = {}, adUnit?: string) {
  const api = installFakeApi({
    [details]: { body: postDetails() },
    "GET /api/instagram/daily-usage": { body: dailyUsage() },
    "GET /api/instagram/status": { body: statusReply() },
    [like]: accepted,
    ...routes,
  });
  const view = render(<GetLikes adUnit={adUnit} />);
  await pass(0);
  return { api, ...view };
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const send = () => screen.getByRole("button", { name: "Send 50 Free Likes" });
/** The mark of the step indicator. */
const failedStep = () => screen.queryByText("Failed:", { exact: false });
const loadWords = "Error Loading PostWe couldn't retrieve your post details. Please try again.";
const keys = (api: { callsOf: (route: string) => { headers: Headers }[] }) =>
  api.callsOf(like).map((call) => call.headers.get("Idempotency-Key"));

/** Presses the button and lets the bar run; with this chance it takes 15 seconds and half a one. */
async function sendAndWait() {
  fireEvent.click(send());
  await pass(15_600);
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, "random").mockReturnValue(0.5);
  sessionStorage.clear();
  jest.mocked(goTo).mockClear();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test.each([
  [undefined, 0],
  ["1111111111", 1],
])("with the unit %s there are %s boxes for an advertisement", async (unit, boxes) => {
  await show({}, unit);
  expect(screen.queryAllByText("Advertisement")).toHaveLength(boxes);
  expect(document.querySelectorAll("aside")).toHaveLength(boxes);
});

test("a flow that is over leads to the beginning", async () => {
  await show({ [details]: flowIsOver });
  await pass(1_000);
  expect(screen.getByRole("heading", { name: "You Need to Start from the Beginning" })).toBeVisible();

  const link = screen.getByRole("link", { name: "Start from Step 1" });
  expect(link).toHaveAttribute("href", "/");
  // A new tab opens at once, and this one stays.
  expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
  expect(fireEvent.click(link)).toBe(false);
  fireEvent.click(screen.getByRole("link", { name: "Processing..." }));
  await pass(499);
  expect(goTo).not.toHaveBeenCalled();
  await pass(1);
  expect(jest.mocked(goTo).mock.calls).toEqual([["/"]]);
});

test("what step 2 found in this tab is not asked for again", async () => {
  sessionStorage.setItem("flow.post", JSON.stringify(postDetails()));
  const { api } = await show();
  expect(screen.getByText("DAbc123XyZ_")).toBeVisible();
  expect(api.callsOf(details)).toEqual([]);
});

test("shows the public post, what is coming, and icons that cannot be used", async () => {
  const { api } = await show();
  // In a tab that has stored nothing, the server knows which post it is.
  expect(api.callsOf(details)[0]?.query.size).toBe(0);
  expect(screen.getByText("Public")).toBeVisible();
  expect(screen.getByText("DAbc123XyZ_")).toBeVisible();
  expect(screen.getByText("+50 likes coming")).toBeVisible();
  for (const name of ["Like", "Comment", "Share"])
    expect(screen.getByRole("button", { name })).toBeDisabled();
  expect(screen.getByRole("heading", { name: "Ready to Boost This Post" })).toBeVisible();
});

test("the details are asked for twice before the error shows, and can be asked for again then", async () => {
  const { api } = await show({ [details]: { status: 503, body: {} } });
  expect(screen.getByText("Loading Post Details")).toBeVisible();
  expect(screen.getByText("This usually takes less than 10 seconds.")).toBeVisible();
  await pass(1_000);
  expect(screen.getByRole("alert")).toHaveTextContent(`${loadWords}The fault is on our side.`);
  expect(failedStep()).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Go Back" })).toHaveAttribute("href", "/verification/");
  await pass(60_000);
  expect(api.callsOf(details)).toHaveLength(2);

  api.routes[details] = "silent";
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await pass(0);
  expect(screen.getByText("Loading Post Details")).toBeVisible();
  expect(failedStep()).not.toBeInTheDocument();
});

test("without a connection it says so, and the details can be asked for again", async () => {
  const { api } = await show({ [details]: "offline" });
  await pass(1_000);
  expect(screen.getByRole("alert")).toHaveTextContent(`${loadWords}No answer came from the server.`);
  api.routes[details] = { body: postDetails() };
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await pass(0);
  expect(send()).toBeEnabled();
});

test("a post that is gone is said as such, and leads to another one, not to another try", async () => {
  const message = "We couldn't find this post.";
  await show({ [details]: { body: { success: false, code: "post_missing", message } } });
  expect(screen.getByRole("alert")).toHaveTextContent(loadWords + message);
  expect(failedStep()).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Try Another Post" })).toHaveAttribute("href", "/#post-link");
  expect(screen.getByRole("link", { name: "Go Back" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try Again" })).not.toBeInTheDocument();
});

test("the bar runs, the request follows it once, and success leads on", async () => {
  const { api } = await show();
  fireEvent.click(send());
  fireEvent.click(screen.getByRole("button", { name: "Sending Likes..." }));
  expect(screen.getByText("Please don't close this page. Your likes are being delivered.")).toBeVisible();

  const messages = [
    [0, "Connecting to Instagram..."],
    [3_000, "Verifying post..."],
    [6_000, "Processing request..."],
    [9_000, "Sending likes..."],
    [12_000, "Finalizing..."],
    [14_300, "Almost done!"],
  ] as const;
  let now = 0;
  for (const [at, message] of messages) {
    await pass(at - now);
    now = at;
    expect(screen.getByText(message)).toBeVisible();
  }

  await pass(15_000 - now);
  expect(screen.getByText("100%")).toBeVisible();
  await pass(400);
  expect(api.callsOf(like)).toHaveLength(0);
  await pass(200);
  expect(api.callsOf(like)).toHaveLength(1);
  expect(api.callsOf(like)[0]?.body).toEqual({ instagramUrl: "https://www.instagram.com/p/DAbc123XyZ_/" });
  expect(api.callsOf(like)[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
  expect(keys(api)[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(goTo).toHaveBeenCalledWith("/success/");

  await pass(30_000);
  expect(api.callsOf(like)).toHaveLength(1);
});

test("a refusal is an alert, stops the processing, and the next try is a new one", async () => {
  const refused = { status: 422, body: { code: "delivery_refused", message: "This post was refused." } };
  const { api } = await show({ [like]: refused });
  await sendAndWait();
  expect(screen.getByRole("alert")).toHaveTextContent("Error: This post was refused.");
  expect(screen.queryByText("+50 likes coming")).not.toBeInTheDocument();
  expect(failedStep()).toBeInTheDocument();
  expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
  fireEvent.click(send());
  expect(failedStep()).not.toBeInTheDocument();
  await pass(15_600);
  const [first, second] = keys(api);
  expect(second).not.toBe(first);
  expect(goTo).not.toHaveBeenCalled();
});

test.each([
  ["delivery_refused", "Try another post", "/#post-link", true],
  ["post_mismatch", "Start from Step 1", "/", false],
])("after %s there is a way on that can help: %s", async (code, name, href, canSend) => {
  await show({ [like]: { status: 422, body: { code, message: "No." } } });
  await sendAndWait();
  expect(screen.getByRole("link", { name })).toHaveAttribute("href", href);
  expect(screen.queryAllByRole("button", { name: "Send 50 Free Likes" })).toHaveLength(canSend ? 1 : 0);
});

test("a failure without words has the specified ones", async () => {
  await show({ [like]: { status: 500, body: {} } });
  await sendAndWait();
  expect(screen.getByRole("alert")).toHaveTextContent("Error: Failed to send likes. Please try again.");
});

test("a lost answer has the specified words first, and below them what is known", async () => {
  await show({ [like]: "offline" });
  await sendAndWait();
  expect([...screen.getByRole("alert").querySelectorAll("p")].map((line) => line.textContent)).toEqual([
    "Error: Failed to send likes. Please try again.",
    "No answer came from the server. Check your connection and try again.",
  ]);
});

test.each<[string, FakeRoute]>([
  ["no connection", "offline"],
  ["an unavailable service", { status: 503, body: { code: "service_unavailable", message: "Not now." } }],
  ["a broken gateway", { status: 502, body: "<h1>Bad Gateway</h1>" }],
])("after %s the next try asks about the same order", async (_case, reply) => {
  const { api } = await show({ [like]: reply });
  await sendAndWait();
  expect(screen.getByRole("alert")).toBeVisible();
  api.routes[like] = accepted;
  await sendAndWait();
  const [first, second] = keys(api);
  expect(second).toBe(first);
  expect(goTo).toHaveBeenCalledWith("/success/");
});

test("while it is sent the fifty fill with the percentage", async () => {
  await show();
  fireEvent.click(send());
  const bar = screen.getByRole("progressbar", { name: "Progress" });
  const dots = () => {
    const filled = [...bar.querySelectorAll(".stroke-primary")].map((path) => path.getAttribute("d") ?? "");
    return [bar.getAttribute("aria-valuenow"), filled.join("").split("h0").length - 1];
  };
  expect(dots()).toEqual(["0", 0]);
  await pass(7_500);
  expect(dots()).toEqual(["50", 25]);
  await pass(7_200);
  expect(dots()).toEqual(["98", 49]);
  await pass(300);
  expect(dots()).toEqual(["100", 50]);
});

test("a pending order is neither success nor failure; asking again uses the same key and no new bar", async () => {
  const { api } = await show({ [like]: pending });
  await sendAndWait();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  expect(goTo).not.toHaveBeenCalled();
  expect(screen.getByText("Your request is being processed")).toBeVisible();
  expect(screen.getByText("It has not been confirmed yet; please check back in a minute.")).toBeVisible();
  expect(screen.queryByText("+50 likes coming")).not.toBeInTheDocument();
  expect(failedStep()).not.toBeInTheDocument();
  // The one button, which is not the one that sends.
  const buttons = () =>
    screen.getAllByRole("button").filter((button) => !(button as HTMLButtonElement).disabled);
  expect(buttons().map(({ textContent }) => textContent)).toEqual(["Check again in 30 s"]);
  const [check] = buttons();
  check!.focus();
  fireEvent.click(check!);
  await pass(29_000);
  expect(check).toHaveTextContent("Check again in 1 s");
  expect(check).toHaveAttribute("aria-disabled", "true");
  expect(api.callsOf(like)).toHaveLength(1);
  await pass(1_000);
  expect(check).toHaveTextContent(/^Check again$/);
  expect(check).not.toHaveAttribute("aria-disabled");
  expect(screen.getByText("You can check again now.")).toBeInTheDocument();

  fireEvent.click(check!);
  await pass(0);
  expect(check).toHaveTextContent("Check again in 30 s");
  expect(check).toHaveFocus();
  await pass(31_000);
  api.routes[like] = accepted;
  fireEvent.click(screen.getByRole("button", { name: "Check again" }));
  await pass(0);
  expect(goTo).toHaveBeenCalledWith("/success/");
  expect(new Set(keys(api)).size).toBe(1);
  expect(api.callsOf(like)).toHaveLength(3);
});

test("a cooldown shows when it ends, asks again then, and goes back to the post", async () => {
  const { api } = await show({ [like]: { status: 429, body: { code: "cooldown", message: "Wait." } } });
  api.routes["GET /api/instagram/status"] = () => ({ body: waitingStatus(90) });
  await sendAndWait();
  expect(screen.getByRole("heading", { name: "Rate Limit Reached" })).toHaveFocus();
  expect(screen.getByRole("heading", { name: "You've Already Received Free Likes" })).toBeVisible();
  expect(screen.getByText(/Our free service allows one boost every 4 hours/)).toBeVisible();
  expect(screen.getByRole("timer")).toHaveTextContent(/^00:01:(30|29)$/);

  const asked = api.callsOf("GET /api/instagram/status").length;
  api.routes["GET /api/instagram/status"] = () => ({ body: statusReply() });
  await pass(91_000);
  expect(api.callsOf("GET /api/instagram/status")).toHaveLength(asked + 1);
  expect(send()).toBeEnabled();
  expect(screen.getByText("+50 likes coming")).toBeVisible();
  expect(screen.getByRole("heading", { name: "Ready to Boost This Post" })).toBeVisible();
});

test("a reached daily limit blocks the button with an alert", async () => {
  const { api } = await show({ "GET /api/instagram/daily-usage": { body: dailyUsage(true) } });
  expect(screen.getByRole("alert")).toHaveTextContent(
    "Our daily API limit has been reached. Please try again tomorrow.",
  );
  expect(send()).toBeDisabled();
  fireEvent.click(send());
  await pass(30_000);
  expect(api.callsOf(like)).toHaveLength(0);

  api.routes["GET /api/instagram/daily-usage"] = { body: dailyUsage() };
  await pass(60_000);
  expect(send()).toBeEnabled();
});

test("a page that comes back from the browser's memory in the middle of the bar starts afresh", async () => {
  const { api } = await show();
  fireEvent.click(send());
  await pass(5_000);
  act(() => void window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  expect(send()).toBeEnabled();
  await pass(30_000);
  expect(api.callsOf(like)).toHaveLength(0);
});
