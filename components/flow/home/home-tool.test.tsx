import { act, render, screen } from "@testing-library/react";
import { unload } from "swr";
import { HomeTool } from "@/components/flow/home/home-tool";
import { dailyUsage, statusReply, waitingStatus } from "@/testing/jest/flow-data";
import type { DailyUsageReply } from "@/lib/schemas/api-responses";
import { timing } from "@/lib/config/limits";
import { recordServerTime } from "@/lib/client/browser/server-clock";
import { installFakeApi, type FakeReply } from "@/testing/jest/fake-api";

jest.mock("@/lib/client/api/fingerprint", () => ({ getFingerprint: () => Promise.resolve("fp-1") }));
jest.mock("@/components/captcha/altcha-widget");

const status = "GET /api/instagram/status";
const usage = "GET /api/instagram/daily-usage";
const notice = () => screen.queryByText("You have already requested your free likes.");
const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

/** Renders home after this order, in a browser that stores it, or after this stored text. */
async function renderHome(stored: object | string | null, statusBody: FakeReply["body"] = statusReply()) {
  const text = typeof stored === "string" ? stored : JSON.stringify(stored);
  if (stored) localStorage.setItem("last-order", text);
  const api = installFakeApi({
    [usage]: { body: dailyUsage() },
    "GET /api/recaptcha/sitekey": "silent",
    [status]: { body: statusBody },
  });
  render(<HomeTool questions={[]} />);
  await advance(0);
  return api;
}

function order(hoursLeft: number, age = 0, dailyLimit: DailyUsageReply["dailyLimit"] | null = null) {
  const nextAvailable = new Date(Date.now() + hoursLeft * 3_600_000).toISOString();
  return { nextAvailable, dailyLimit, storedAt: Date.now() - age };
}

async function useField() {
  act(() => screen.getByRole("textbox").focus());
  await advance(0);
}

beforeEach(() => {
  unload({ revalidate: false });
  jest.useFakeTimers();
  recordServerTime(Date.now());
  localStorage.clear();
});
afterEach(() => jest.useRealTimers());

it.each([null, "{", '{"nextAvailable":"soon","dailyLimit":null,"storedAt":1}', order(-1)])(
  "shows no notice and requests no status for the stored order %j",
  async (stored) => {
    const api = await renderHome(stored);
    expect(notice()).toBeNull();
    await useField();
    expect(api.callsOf(status)).toEqual([]);
  },
);

it("counts down to the next possible request without a request to the server", async () => {
  const api = await renderHome(order(0.05));
  expect(notice()).toBeVisible();
  expect(screen.getByRole("timer")).toHaveTextContent("00:03:00");
  expect(screen.getByRole("button", { name: "Add to calendar" })).toBeVisible();
  await advance(60_000);
  expect(screen.getByRole("timer")).toHaveTextContent("00:02:00");
  expect(api.callsOf(status)).toEqual([]);
  await advance(120_000);
  expect(notice()).toBeNull();
  expect(localStorage.getItem("last-order")).toBeNull();
});

it.each([
  ["changes the notice if the server says another time", waitingStatus(7_200), 1],
  ["removes the notice if the server accepts requests", statusReply(), 0],
])("%s when the visitor uses the field", async (_, body, timers) => {
  const api = await renderHome(order(1), body);
  await useField();
  expect(screen.queryAllByRole("timer")).toHaveLength(timers);
  if (timers > 0) expect(screen.getByRole("timer")).toHaveTextContent(/^0(?:2:00|1:59)/);
  expect(api.callsOf(status)).toHaveLength(1);
});

it.each([
  [0, "89,000 free likes left today", {}],
  [14_000, "89,000 free likes left today", {}],
  [16_000, "90,000 free likes left today", {}],
  // Others ordered more since then, or a new day has begun.
  [0, "90,000 free likes left today", { likesUsed: 9_000 }],
  [0, "90,000 free likes left today", { resetsAt: "2020-01-01T00:00:00.000Z" }],
])("%s ms after an own order, shows %j (usage with it: %j)", async (age, text, changes) => {
  const { dailyLimit } = dailyUsage();
  const own = { ...dailyLimit, likesUsed: 11_000, likesRemaining: 89_000, ...changes };
  await renderHome(order(4, age, own));
  expect(screen.getByText(text)).toBeVisible();
});

it("shows the number of likes again after a request for it has failed", async () => {
  const api = await renderHome(null);
  api.routes[usage] = "offline";
  await advance(timing.meterPollMs);
  expect(screen.getByText("Unable to load today's like availability")).toBeVisible();
  api.routes[usage] = { body: dailyUsage() };
  await advance(timing.meterPollMs);
  expect(screen.getByText("90,000 free likes left today")).toBeVisible();
});

it("ends flows only in a tab of a flow: those that it knows when the page is seen, and all after Back", async () => {
  const [known, newer] = ["flow-1763683200000", "flow-1763683200001"];
  const look = (state: string) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  document.cookie = `${known}=1`;
  sessionStorage.setItem("flow.attempt", "key");
  look("hidden");
  await renderHome(null);
  document.cookie = `${newer}=1`;
  expect([document.cookie, sessionStorage.length]).toEqual([`${known}=1; ${newer}=1`, 1]);
  look("visible");
  expect([document.cookie, sessionStorage.length]).toEqual([`${newer}=1`, 0]);
  // Another tab looks at the page.
  window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  expect(document.cookie).toBe(`${newer}=1`);
  sessionStorage.setItem("flow.attempt", "key");
  window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  expect(document.cookie).toBe("");
});
