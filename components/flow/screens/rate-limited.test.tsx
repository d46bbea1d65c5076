import { act, render, screen } from "@testing-library/react";
import { RateLimited, type RateLimitedProps } from "@/components/flow/screens/rate-limited";
import { waitingStatus } from "@/components/flow/screens/test-data";
import type { WaitReason } from "@/lib/http/api-responses";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function renderWait(seconds: number, reason: WaitReason, props: Partial<RateLimitedProps> = {}) {
  const status = waitingStatus(seconds, reason);
  return render(<RateLimited status={status} onRefresh={() => Promise.resolve()} {...props} />);
}

it("shows half of the dots after half of the cooldown, and another dot 4.8 minutes later", async () => {
  renderWait(7_200, "cooldown");
  expect(screen.getByText("25 of 50 refilled, one every 4.8 minutes")).toBeVisible();
  await act(() => jest.advanceTimersByTimeAsync(287_000));
  expect(screen.getByText(/^25 of 50/)).toBeVisible();
  await act(() => jest.advanceTimersByTimeAsync(1_000));
  expect(screen.getByText(/^26 of 50/)).toBeVisible();
});

it.each(["daily_cap", "address_cap"] as const)(
  "shows no dots for a wait without a known start (%s)",
  (reason) => {
    renderWait(7_200, reason);
    expect(screen.getByRole("timer")).toHaveTextContent("02:00:00");
    expect(screen.queryByText(/refilled/)).not.toBeInTheDocument();
  },
);

it.each<[WaitReason, boolean, string]>([
  ["cooldown", false, "You've Already Received Free Likes"],
  ["cooldown", true, "You've already received your free likes."],
  ["daily_cap", false, "You've used all 6 free requests of the last 24 hours."],
  ["daily_cap", true, "You've used all 6 free requests of the last 24 hours."],
  ["address_cap", false, "Too many requests came from your network in the last 24 hours."],
  ["address_cap", true, "Too many requests came from your network in the last 24 hours."],
])("names the reached limit in the heading (%s, on the preview page: %s)", (reason, preview, title) => {
  renderWait(60, reason, { preview });
  expect(screen.getAllByRole("heading").map((heading) => heading.textContent)).toEqual([title]);
});
