import { act, fireEvent, render, screen } from "@testing-library/react";
import { unload } from "swr";
import { notCheckedText } from "@/components/flow/parts/post-card";
import { postDetails, statusReply, waitingStatus } from "@/testing/jest/flow-data";
import { Verification } from "@/components/flow/screens/verification";
import { goTo, replaceWith } from "@/lib/client/browser/navigate";
import { installFakeApi, type FakeRoute } from "@/testing/jest/fake-api";

jest.mock("@/lib/client/browser/navigate", () => ({ goTo: jest.fn(), replaceWith: jest.fn() }));
jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));

const details = "GET /api/instagram/post-details";
const status = "GET /api/instagram/status";

async function renderVerification(routes: Record<string, FakeRoute> = {}) {
  const api = installFakeApi({
    [details]: { body: postDetails() },
    [status]: () => ({ body: statusReply() }),
    ...routes,
  });
  render(<Verification />);
  await advance(0);
  return api;
}

const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  unload({ revalidate: false });
  jest.useFakeTimers();
  sessionStorage.clear();
  jest.mocked(goTo).mockClear();
  jest.mocked(replaceWith).mockClear();
});
afterEach(() => jest.useRealTimers());

it("shows a verified post and opens step 3 half a second after the click", async () => {
  const api = await renderVerification();
  expect(api.callsOf(details)[0]?.query.size).toBe(0);
  expect(api.callsOf(status)[0]?.headers.get("x-visitor-fingerprint")).toBe("fp-1");
  expect(screen.queryByText("Sample content")).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Preview this post" })).toHaveAttribute(
    "href",
    "/preview/DAbc123XyZ_?from=url-entry",
  );
  expect(JSON.parse(sessionStorage.getItem("flow.post") ?? "")).toEqual(postDetails());

  fireEvent.click(screen.getByRole("link", { name: "Continue to Get Likes" }));
  expect(screen.getByRole("link", { name: "Processing..." })).toBeVisible();
  await advance(400);
  expect(goTo).not.toHaveBeenCalled();
  await advance(100);
  expect(goTo).toHaveBeenCalledWith("/get-likes/");
});

it("does not call a post public that was not checked, and stores this for step 3", async () => {
  await renderVerification({ [details]: { body: postDetails({ checked: false }) } });
  expect(screen.getByText("Not checked")).toBeVisible();
  expect(screen.getByRole("heading", { level: 1 })).toHaveAccessibleDescription(
    notCheckedText({ type: "post" }),
  );
  expect(document.body).not.toHaveTextContent(/public/i);
  expect(JSON.parse(sessionStorage.getItem("flow.post") ?? "")).toEqual(postDetails({ checked: false }));
  expect(screen.getByRole("link", { name: "Continue to Get Likes" })).toBeVisible();
});

it("opens the private-account page for an ineligible post without a status request", async () => {
  const api = await renderVerification({
    [details]: { body: { success: false, code: "post_private", message: "Private." } },
  });
  expect(replaceWith).toHaveBeenCalledWith("/private-account-error/");
  expect(api.callsOf(status)).toHaveLength(0);
});

it.each<[string, FakeRoute, string]>([
  ["of the server", { status: 503, body: {} }, "The fault is on our side. Please try again in a moment."],
  ["of the lookup", { status: 503, body: { message: "We couldn't check it." } }, "We couldn't check it."],
  ["of the connection", "offline", "No answer came from the server. Check your connection and try again."],
])("reports the cause of a failure %s and offers a retry", async (_case, route, cause) => {
  const api = await renderVerification({ [details]: route });
  await advance(1_000);
  expect(screen.getByRole("alert")).toHaveTextContent(
    `Verification Error: We encountered an error verifying your post.${cause}`,
  );
  expect(screen.getByText("Failed:", { exact: false })).toBeInTheDocument();
  expect(api.callsOf(details)).toHaveLength(2);
  api.routes[details] = { body: postDetails() };
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await advance(0);
  expect(screen.getByRole("link", { name: "Continue to Get Likes" })).toBeVisible();
  expect(screen.queryByText("Failed:", { exact: false })).not.toBeInTheDocument();
});

it("requests the status when a wait ends", async () => {
  const api = await renderVerification({ [status]: () => ({ body: waitingStatus(30) }) });
  api.routes[status] = () => ({ body: statusReply() });
  await advance(31_000);
  expect(api.callsOf(status)).toHaveLength(2);
  expect(screen.getByRole("link", { name: "Continue to Get Likes" })).toBeVisible();
});

it("mentions an order that is still pending", async () => {
  await renderVerification({ [status]: () => ({ body: statusReply({ pending: true }) }) });
  expect(screen.getByText("An earlier request is still being processed")).toBeVisible();
});
