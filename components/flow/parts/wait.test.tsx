import { render, screen } from "@testing-library/react";
import { Wait, type WaitProps } from "@/components/flow/parts/wait";
import { waitingStatus } from "@/testing/jest/flow-data";
import type { WaitReason } from "@/lib/schemas/api-responses";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function renderWait(seconds: number, reason: WaitReason, preview = false) {
  const status = { data: waitingStatus(seconds, reason), mutate: () => Promise.resolve() };
  return render(<Wait status={status as unknown as WaitProps["status"]} preview={preview} />);
}

it("shows the share of the cooldown that is over, and draws no dots", () => {
  renderWait(7_200, "cooldown");
  expect(screen.getByRole("progressbar")).toHaveValue(50);
  expect(document.querySelector("[data-dots]")).toBeNull();
});

it.each(["daily_cap", "address_cap", "paced"] as const)(
  "shows no bar for a wait without a known start (%s)",
  (reason) => {
    renderWait(7_200, reason);
    expect(screen.getByRole("timer")).toHaveTextContent("02:00:00");
    expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
  },
);

it.each<[WaitReason, boolean, string]>([
  ["cooldown", false, "You've Already Received Free Likes"],
  ["cooldown", true, "You've already received your free likes."],
  ["daily_cap", false, "You've used all 6 free requests of the last 24 hours."],
  ["daily_cap", true, "You've used all 6 free requests of the last 24 hours."],
  ["address_cap", false, "Too many requests came from your network in the last 24 hours."],
  ["address_cap", true, "Too many requests came from your network in the last 24 hours."],
  ["paced", false, "Today's free likes are spread over the day."],
  ["paced", true, "Today's free likes are spread over the day."],
])("names the reached limit in the heading (%s, on the preview page: %s)", (reason, preview, title) => {
  renderWait(60, reason, preview);
  expect(screen.getAllByRole("heading").map((heading) => heading.textContent)).toEqual([title]);
});

it.each([false, true])("says that a paced request did not count (on the preview page: %s)", (preview) => {
  renderWait(60, "paced", preview);
  expect(screen.getByText(/^Nothing was counted, and your 4 hours have not started\./)).toBeVisible();
});
