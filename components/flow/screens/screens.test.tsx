import { act, fireEvent, render, screen } from "@testing-library/react";
import { unload } from "swr";
import { notCheckedText } from "@/components/flow/parts/post-card";
import { GetLikes } from "@/components/flow/screens/get-likes";
import { Preview } from "@/components/flow/screens/preview";
import { Verification } from "@/components/flow/screens/verification";
import { readLastOrder } from "@/lib/client/browser/last-order";
import { goTo, reloadPage, replaceWith } from "@/lib/client/browser/navigate";
import { toast } from "@/lib/client/toast-store";
import { timing } from "@/lib/config/limits";
import { installFakeApi, type FakeReply, type FakeRoute } from "@/testing/jest/fake-api";
import {
  dailyUsage,
  flowEndedReply,
  liveTexts,
  postDetails,
  receipt,
  statusReply,
  waitingStatus,
} from "@/testing/jest/flow-data";

/*
 * Times, Idempotency-Keys and stored values of step 2, step 3 and the preview. e2e/pages/screens has the texts of each state,
 * and e2e/flow/flow-states.browser.test.ts what Back, a reload and other tabs change.
 */

jest.mock("@/lib/client/browser/navigate", () => ({
  goTo: jest.fn(),
  reloadPage: jest.fn(),
  replaceWith: jest.fn(),
}));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/lib/client/toast-store", () => ({ toast: jest.fn(), useCurrentToast: () => null }));

const details = "GET /api/instagram/post-details";
const like = "POST /api/instagram/like";
const receiptRoute = "GET /api/instagram/receipt";
const status = "GET /api/instagram/status";
const usage = "GET /api/instagram/daily-usage";

const postId = "DAbc123XyZ_";
const accepted: FakeReply = { body: { success: true, order: receipt } };
const refusal = (code: string, status = 422): FakeReply => ({
  status,
  body: { success: false, code, message: "The server's words." },
});

const screens = {
  verification: { element: <Verification />, action: "Continue to Get Likes" },
  "get-likes": { element: <GetLikes texts={liveTexts} />, action: "Send 50 Free Likes" },
  preview: { element: <Preview texts={liveTexts} />, action: "Get 50 Free Likes" },
};
type Name = keyof typeof screens;
const all = Object.keys(screens) as Name[];
/** The screens that request likes. */
const requesting = ["get-likes", "preview"] as const;

async function open(name: Name, routes: Record<string, FakeRoute> = {}) {
  const api = installFakeApi({
    [details]: { body: postDetails() },
    [status]: () => ({ body: statusReply() }),
    [usage]: { body: dailyUsage() },
    [like]: accepted,
    [receiptRoute]: { body: { success: true, order: null } },
    ...routes,
  });
  render(screens[name].element);
  await advance(0);
  const keys = () => api.callsOf(like).map(({ headers }) => headers.get("Idempotency-Key"));
  return { ...api, keys };
}

const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const button = (name: Name) => screen.getByRole("button", { name: screens[name].action });
const sendButton = () => button("get-likes");
const dots = () => document.querySelector<HTMLElement>("[data-dots]")?.dataset.dots;

/** Clicks the button, and waits until the page has sent the request. Step 3 sends it after the simulated progress. */
async function requestLikes(name: Name = "get-likes") {
  fireEvent.click(button(name));
  await advance(name === "get-likes" ? 15_900 : 0);
}

beforeEach(() => {
  unload({ revalidate: false });
  jest.useFakeTimers();
  jest.spyOn(Math, "random").mockReturnValue(0.5);
  jest.clearAllMocks();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, "", `/preview/${postId}`);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe("the post", () => {
  it("is stored by step 2, which opens step 3 half a second after a click, but not after Ctrl+click", async () => {
    const api = await open("verification");
    expect(api.callsOf(details)[0]?.query.size).toBe(0);
    expect(api.callsOf(status)[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
    const preview = screen.getByRole("link", { name: "Preview this post" });
    expect(preview).toHaveAttribute("href", `/preview/${postId}?from=url-entry`);
    expect(JSON.parse(sessionStorage.getItem("flow.post") ?? "")).toEqual(postDetails());

    const link = screen.getByRole("link", { name: "Continue to Get Likes" });
    // jsdom cannot open pages. It ignores links to the page that is open.
    window.history.replaceState(null, "", "/get-likes/");
    // `fireEvent.click` returns false if the page cancels the click.
    expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
    expect(fireEvent.click(link)).toBe(false);
    fireEvent.click(screen.getByRole("link", { name: "Processing..." }));
    await advance(499);
    expect(goTo).not.toHaveBeenCalled();
    await advance(1);
    expect(jest.mocked(goTo).mock.calls).toEqual([["/get-likes/"]]);
  });

  it.each<[stored: string, requests: number]>([
    [JSON.stringify(postDetails()), 0],
    ...["{", "null", '{"success":true,"postId":1,"type":"story"}'].map((text): [string, number] => [text, 1]),
    [JSON.stringify(postDetails({ checked: undefined })), 1],
  ])(
    "is not requested by step 3 if step 2 stored it, but if the value is damaged: %s",
    async (text, count) => {
      sessionStorage.setItem("flow.post", text);
      const api = await open("get-likes");
      expect(screen.getByText(postId)).toBeVisible();
      expect(api.callsOf(details)).toHaveLength(count);
    },
  );

  it.each(["verification", "get-likes"] as const)(
    "is not called public without a check: %s",
    async (name) => {
      const unchecked = postDetails({ checked: false, type: "reel" });
      // Step 3 gets the post from step 2.
      if (name === "get-likes") sessionStorage.setItem("flow.post", JSON.stringify(unchecked));
      await open(name, { [details]: name === "verification" ? { body: unchecked } : "silent" });
      const heading = screen.getByRole("heading", { level: 1 });
      expect(heading).toHaveAccessibleDescription(notCheckedText({ type: "reel" }));
      expect(document.body).not.toHaveTextContent(/public|ready/i);
      expect(JSON.parse(sessionStorage.getItem("flow.post") ?? "")).toEqual(unchecked);
    },
  );

  it("is not called eligible without a check, while the visitor has to wait", async () => {
    const unchecked = { body: postDetails({ checked: false, type: "reel" }) };
    await open("preview", { [details]: unchecked, [status]: () => ({ body: waitingStatus(60) }) });
    await requestLikes("preview");
    expect(screen.getByText("Your reel has not been checked.", { exact: false })).toBeVisible();
    expect(document.body).not.toHaveTextContent(/verified|eligible/);
  });

  it.each(all)("is requested twice, and again after Try Again: %s", async (name) => {
    const api = await open(name, { [details]: "offline" });
    await advance(60_000);
    expect(screen.getByRole("alert")).toBeVisible();
    expect(api.callsOf(details)).toHaveLength(2);
    api.routes[details] = { body: postDetails() };
    fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
    await advance(0);
    expect(screen.getByText(screens[name].action)).toBeVisible();
    expect(screen.queryByText("Failed:", { exact: false })).not.toBeInTheDocument();
  });

  it("leads to the private-account page without a status request if it is private", async () => {
    const api = await open("verification", { [details]: refusal("post_private", 200) });
    expect(replaceWith).toHaveBeenCalledWith("/private-account-error/");
    expect(api.callsOf(status)).toHaveLength(0);
  });

  it("has a link in place of a picture that fails to load", async () => {
    await open("preview");
    fireEvent.error(screen.getByRole("img", { name: "The post by sample_account" }));
    expect(screen.getByText("Image not available")).toBeVisible();
    expect(screen.queryByText("Limited preview due to API permissions")).not.toBeInTheDocument();
    const link = screen.getByRole("link", { name: "Open it to make sure it is yours" });
    expect(link).toHaveAttribute("href", `https://www.instagram.com/p/${postId}/`);
  });
});

it.each(["verification", "get-likes"] as const)(
  "asks to start over after the end of the flow: %s",
  async (name) => {
    await open(name, { [details]: flowEndedReply });
    await advance(1_000);
    expect(screen.getByRole("heading", { name: "You Need to Start from the Beginning" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Start from Step 1" })).toHaveAttribute("href", "/");
  },
);

const anotherPost = "Try Another Post: /#post-link";

it.each<[Name, route: string, FakeReply, actions: string[]]>([
  ["get-likes", details, refusal("post_missing", 200), [anotherPost]],
  ["get-likes", like, refusal("post_mismatch"), ["Start from Step 1: /"]],
  ["preview", details, refusal("post_missing", 200), [anotherPost, "Back to Home: /"]],
  ["verification", details, refusal("post_blocked", 200), [anotherPost, "Back to Home: /"]],
  ["get-likes", like, refusal("post_blocked"), [anotherPost]],
  ["preview", like, refusal("delivery_refused"), [anotherPost, "Back to Home: /"]],
  ["preview", like, refusal("flow_required"), ["Back to Home: /"]],
])("%s offers no retry where none can succeed: %s, %j", async (name, route, reply, actions) => {
  await open(name, { [route]: reply });
  if (route === like) await requestLikes(name);
  expect(screen.getByText(/The server's words\.$/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Try Again|Send 50/ })).not.toBeInTheDocument();
  const links = screen
    .getAllByRole("link")
    .map((link) => `${link.textContent}: ${link.getAttribute("href")}`);
  expect(links.filter((link) => !link.startsWith("Go Back"))).toEqual(actions);
});

it.each(all)("requests the status when a wait ends, and then lets the visitor continue: %s", async (name) => {
  const api = await open(name, {
    [status]: () => ({ body: waitingStatus(90) }),
    [like]: refusal("cooldown", 429),
  });
  if (name !== "verification") {
    await requestLikes(name);
    expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
  }
  expect(screen.getByRole("timer")).toHaveTextContent(/^00:01:(30|29)$/);
  expect(api.callsOf(like)).toHaveLength(name === "get-likes" ? 1 : 0);
  const before = api.callsOf(status).length;
  api.routes[status] = () => ({ body: statusReply() });
  await advance(91_000);
  expect(api.callsOf(status)).toHaveLength(before + 1);
  expect(screen.getByText(screens[name].action)).toBeVisible();
});

it("mentions on step 2 an order that is still pending", async () => {
  await open("verification", { [status]: () => ({ body: statusReply({ pending: true }) }) });
  expect(screen.getByText("An earlier request is still being processed")).toBeVisible();
});

describe("a request for likes", () => {
  it("is sent once after the progress, and the dots show each state before the success page opens", async () => {
    const { dailyLimit } = dailyUsage();
    const api = await open("get-likes", { [like]: { body: { success: true, order: receipt, dailyLimit } } });
    fireEvent.click(sendButton());
    fireEvent.click(screen.getByRole("button", { name: "Sending Likes..." }));
    await advance(15_000);
    expect(screen.getByText("100%")).toBeVisible();
    await advance(400);
    expect([dots(), api.callsOf(like)]).toEqual(["open", []]);
    await advance(200);
    expect(api.callsOf(like)).toHaveLength(1);
    const [{ body, headers }] = api.callsOf(like) as [(typeof api.calls)[0]];
    expect(body).toEqual({ instagramUrl: `https://www.instagram.com/p/${postId}/` });
    expect(headers.get("x-visitor-fingerprint")).toBe("fp-1");
    expect(api.keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect([dots(), jest.mocked(goTo).mock.calls]).toEqual(["accepted", []]);
    await advance(timing.acceptedMs);
    expect(goTo).toHaveBeenCalledWith("/success/");
    // The home page shows the time of the next request and the usage.
    expect(readLastOrder()).toMatchObject({ nextAvailable: receipt.nextAvailable, dailyLimit });
    await advance(30_000);
    expect(api.callsOf(like)).toHaveLength(1);
  });

  it("is preceded and followed by status requests on the preview, whose receipt does not wait for the last", async () => {
    let asked = 0;
    const api = await open("preview", {
      [status]: () => ((asked += 1) === 1 ? { body: statusReply() } : "silent"),
    });
    await requestLikes("preview");
    expect(screen.getByRole("heading", { name: "Likes Delivered Successfully!" })).toHaveFocus();
    expect(screen.getByText(receipt.reference)).toBeVisible();
    expect(api.calls.map(({ route }) => route).slice(-3)).toEqual([status, like, status]);
    expect(api.callsOf(like)[0]?.body).toEqual({ instagramUrl: `https://www.instagram.com/p/${postId}/` });
  });

  it.each<[after: string, reply: FakeRoute, keeps: boolean]>([
    ["no connection", "offline", true],
    ["an unavailable service", refusal("service_unavailable", 503), true],
    ["a broken gateway", { status: 502, body: "<h1>Bad Gateway</h1>" }, true],
    // These are no accepted orders.
    ["an empty object", { body: {} }, true],
    ["a success without an order", { body: { success: true } }, true],
    ["an invalid order", { body: { success: true, order: { ...receipt, acceptedAt: "soon" } } }, true],
    ["a rejection", refusal("invalid"), false],
  ])("has the same Idempotency-Key again after %s: %#", async (_after, reply, keeps) => {
    const api = await open("get-likes", { [like]: reply });
    await requestLikes();
    expect(screen.getByRole("alert")).toHaveTextContent(keeps ? /^Error/ : "Error: The server's words.");
    expect(goTo).not.toHaveBeenCalled();
    api.routes[like] = accepted;
    fireEvent.click(sendButton());
    expect(screen.queryByText("Failed:", { exact: false })).not.toBeInTheDocument();
    await advance(15_900);
    const [first, second] = api.keys();
    expect(second === first).toBe(keeps);
    await advance(timing.acceptedMs);
    expect(goTo).toHaveBeenCalledWith("/success/");
  });

  it("shows on the preview, also as a toast, that no response arrived", async () => {
    await open("preview", { [like]: "offline" });
    await requestLikes("preview");
    const description = "Failed to send likes. Please try again.";
    expect(toast).toHaveBeenCalledWith({ variant: "destructive", title: "Error", description });
    expect(screen.getByRole("heading", { name: "Oops! Something went wrong" })).toHaveFocus();
    expect(screen.getByText(/^No answer came from the server/)).toBeVisible();
  });

  it("is not sent after a status request that fails at the second press", async () => {
    const api = await open("preview", { [like]: { status: 500, body: {} } });
    await requestLikes("preview");
    fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
    api.routes[status] = { status: 503, body: {} };
    await requestLikes("preview");
    expect(screen.getByRole("alert")).toHaveTextContent("Unable to check API limits");
    expect(api.callsOf(like)).toHaveLength(1);
  });

  it.each(requesting)(
    "that is pending is repeated with its key, not before Retry-After: %s",
    async (name) => {
      const api = await open(name, {
        [like]: { ...refusal("order_pending", 503), headers: { "Retry-After": "30" } },
      });
      await requestLikes(name);
      expect(screen.queryByRole("alert")).not.toBeInTheDocument();
      expect(dots()).toBe(name === "get-likes" ? "requested" : undefined);
      const buttons = screen.getAllByRole<HTMLButtonElement>("button").filter(({ disabled }) => !disabled);
      expect(buttons.map(({ textContent }) => textContent)).toEqual(["Check again in 30 s"]);
      const check = buttons[0]!;
      check.focus();
      fireEvent.click(check);
      await advance(29_000);
      expect(check).toHaveTextContent("Check again in 1 s");
      expect(check).toHaveAttribute("aria-disabled", "true");
      expect(api.callsOf(like)).toHaveLength(1);
      await advance(1_000);
      expect(check).toHaveTextContent(/^Check again$/);
      expect(check).not.toHaveAttribute("aria-disabled");
      expect(screen.getByText("You can check again now.")).toBeInTheDocument();

      fireEvent.click(check);
      await advance(0);
      expect(check).toHaveTextContent("Check again in 30 s");
      expect(check).toHaveFocus();
      await advance(31_000);
      api.routes[like] = accepted;
      fireEvent.click(check);
      await advance(250);
      expect(dots()).toBe("accepted");
      expect(new Set(api.keys()).size).toBe(1);
      expect(api.callsOf(like)).toHaveLength(3);
    },
  );

  it.each(requesting)("is not possible while a poll says that no likes are left: %s", async (name) => {
    const api = await open(name, { [usage]: { body: dailyUsage(true) } });
    expect(button(name)).toBeDisabled();
    api.routes[usage] = { body: dailyUsage() };
    await advance(60_000);
    expect(button(name)).toBeEnabled();
  });

  it.each(requesting)(
    "that the daily limit refuses is possible again after Retry-After: %s",
    async (name) => {
      await open(name, { [like]: { ...refusal("daily_limit", 429), headers: { "Retry-After": "60" } } });
      await requestLikes(name);
      expect(screen.getByRole("alert")).toHaveTextContent(
        /The server's words\.Available again in: 1 hourResets at: 00:00 GMTYour time: .+Daily limit: 100,000 likes/,
      );
      expect(screen.getByRole("button", { name: "Add to calendar" })).toBeVisible();
      expect(button(name)).toBeDisabled();
      await advance(60_000);
      expect(button(name)).toBeEnabled();
    },
  );
});

describe("during the progress", () => {
  const goOffline = () => {
    jest.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event("offline")));
    return advance(0);
  };
  const goBack = () => {
    act(() => void window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  };

  it.each<[what: string, end: () => unknown, canSend: boolean]>([
    ["Stop", () => fireEvent.click(screen.getByRole("button", { name: "Stop" })), true],
    ["a lost connection", goOffline, true],
    ["a reached daily limit", () => advance(60_000), false],
    ["Back, to a page that the browser has kept,", goBack, true],
  ])("%s ends it at once, and no request follows", async (what, end, canSend) => {
    const api = await open("get-likes");
    if (!canSend) {
      // The page polls the usage 60 s after it opened, which is 5 s after the click.
      await advance(55_000);
      api.routes[usage] = { body: dailyUsage(true) };
    }
    fireEvent.click(sendButton());
    await advance(1_000);
    if (end === goOffline) api.routes[receiptRoute] = "offline";
    await end();
    expect((sendButton() as HTMLButtonElement).disabled).toBe(!canSend);
    if (what === "Stop") expect(sendButton()).toHaveFocus();
    await advance(30_000);
    expect(api.callsOf(like)).toHaveLength(0);
  });

  it("sends the request and polls the usage if only the browser says that it is offline", async () => {
    const api = await open("get-likes");
    await goOffline();
    fireEvent.click(sendButton());
    await goOffline();
    await advance(60_000);
    expect(api.callsOf(like)).toHaveLength(1);
    expect(api.callsOf(usage)).toHaveLength(2);
  });

  it.each<[string, FakeRoute, reloads: number]>([
    ["an accepted order", accepted, 1],
    ["the end of the flow", flowEndedReply, 1],
    ["an open flow", { body: { success: true, order: null } }, 0],
    ["an unavailable server", refusal("service_unavailable", 503), 0],
  ])("%s leads to what the server shows now: %#", async (_, reply, reloads) => {
    await open("get-likes", { [receiptRoute]: reply });
    fireEvent.click(sendButton());
    await advance(1_000);
    expect(reloadPage).toHaveBeenCalledTimes(reloads);
  });
});
