import { render, screen } from "@testing-library/react";
import { DailyMeter } from "@/components/flow/home/daily-meter";
import { DailyLimitPanel } from "@/components/flow/parts/daily-limit-panel";
import type { DailyLimit } from "@/lib/schemas/api-responses";

function limitOf(percentUsed: number, overrides: Partial<DailyLimit> = {}): DailyLimit {
  const totalLimit = 100_000;
  const likesUsed = Math.round((totalLimit * percentUsed) / 100);
  return {
    percentUsed,
    likesUsed,
    likesRemaining: totalLimit - likesUsed,
    totalLimit,
    reached: false,
    secondsUntilReset: 11_100,
    resetsAt: "2026-11-21T00:00:00.000Z",
    ...overrides,
  };
}

const low = "Daily likes are running low! Act now before they're gone.";
const fast = "Today's likes are going fast! Don't miss out.";
const almost = "Almost gone! Get your likes now before they're all used up today.";
const reached = "Daily limit reached! Come back tomorrow for more likes.";

it.each([
  [0, "primary", "100,000"],
  [70, "primary", "30,000"],
  [71, "warning", "29,000"],
  [90, "warning", "10,000"],
  [91, "destructive", "9,000"],
  [100, "destructive", "0"],
])("at %s %% used, shows a bar in the colour %s and %s likes left", (percentUsed, tone, left) => {
  render(<DailyMeter limit={limitOf(percentUsed)} failed={false} />);
  const bar = screen.getByRole("progressbar", { name: "Today's free likes left" });
  expect(bar).toHaveValue(100 - percentUsed);
  expect(screen.getByText(`${left} free likes left today`)).toBeVisible();
  expect(screen.getByText("of 100,000")).toBeVisible();
  expect(bar).toHaveClass(
    { primary: "text-primary", warning: "text-warning-fill", destructive: "text-destructive" }[tone]!,
  );
});

it.each([
  [30_000, null],
  [29_900, low],
  [15_000, low],
  [14_999, fast],
  [5_000, fast],
  [4_999, almost],
])("with %s of 100,000 likes left, shows the warning: %s", (likesRemaining, warning) => {
  render(<DailyMeter limit={limitOf(80, { likesRemaining })} failed={false} />);
  for (const text of [low, fast, almost, reached]) {
    if (text === warning) expect(screen.getByText(text)).toBeVisible();
    else expect(screen.queryByText(text)).not.toBeInTheDocument();
  }
});

it("shows the reached limit in the meter, and shows the limit, time left and reset time in the panel", () => {
  const limit = limitOf(100, { reached: true });
  render(<DailyMeter limit={limit} failed={false} />);
  expect(screen.getByText(reached)).toBeVisible();

  render(<DailyLimitPanel limit={limit} />);
  expect(screen.getByRole("heading", { name: "Daily Limit Reached" })).toBeVisible();
  expect(screen.getByText("100,000 likes")).toBeVisible();
  expect(screen.getByText("3 hours 5 minutes")).toBeVisible();
  expect(screen.getByText("00:00 GMT")).toBeVisible();
});

it("shows a loading failure with advice and without error colours", () => {
  render(<DailyMeter limit={undefined} failed />);
  expect(screen.getByRole("status")).toHaveTextContent("Unable to load today's like availability");
  expect(
    screen.getByText("Please refresh to check how many free likes are still available today."),
  ).toBeVisible();
  expect(document.body.innerHTML).not.toContain("destructive");
});

it("shows neither a number nor a bar while loading", () => {
  render(<DailyMeter limit={undefined} failed={false} />);
  expect(screen.getByText("Loading today's free likes")).toBeInTheDocument();
  expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
});
