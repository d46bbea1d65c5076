import { act, render, screen } from "@testing-library/react";
import { RateLimited, type RateLimitedProps } from "@/components/flow/screens/rate-limited";
import { waitingStatus } from "@/components/flow/screens/test-data";
import type { WaitReason } from "@/lib/http/api-responses";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function show(seconds: number, reason: WaitReason, over: Partial<RateLimitedProps> = {}) {
  const status = waitingStatus(seconds, reason);
  return render(<RateLimited status={status} onRefresh={() => Promise.resolve()} {...over} />);
}

test("of a cooldown half is over after two hours, and a dot more 4.8 minutes later", async () => {
  show(7_200, "cooldown");
  expect(screen.getByText("25 of 50 refilled, one every 4.8 minutes")).toBeVisible();
  await act(() => jest.advanceTimersByTimeAsync(287_000));
  expect(screen.getByText(/^25 of 50/)).toBeVisible();
  await act(() => jest.advanceTimersByTimeAsync(1_000));
  expect(screen.getByText(/^26 of 50/)).toBeVisible();
});

test.each(["daily_cap", "address_cap"] as const)(
  "a wait of which nobody knows when it began refills nothing (%s)",
  (reason) => {
    show(7_200, reason);
    expect(screen.getByRole("timer")).toHaveTextContent("02:00:00");
    expect(screen.queryByText(/refilled/)).not.toBeInTheDocument();
  },
);

test.each<[WaitReason, boolean, string]>([
  ["cooldown", false, "You've Already Received Free Likes"],
  ["cooldown", true, "You've already received your free likes."],
  ["daily_cap", false, "You've used all 6 free requests of the last 24 hours."],
  ["daily_cap", true, "You've used all 6 free requests of the last 24 hours."],
  ["address_cap", false, "Too many requests came from your network today."],
  ["address_cap", true, "Too many requests came from your network today."],
])("the heading says which limit was reached (%s, on the preview: %s)", (reason, preview, title) => {
  show(60, reason, { preview });
  expect(screen.getAllByRole("heading").map((heading) => heading.textContent)).toEqual([title]);
});
