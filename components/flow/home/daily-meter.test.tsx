import { render, screen } from "@testing-library/react";
import { DailyMeter } from "@/components/flow/home/daily-meter";
import { dailyUsage } from "@/testing/jest/flow-data";

const low = "Daily likes are running low! Act now before they're gone.";
const fast = "Today's likes are going fast! Don't miss out.";
const almost = "Almost gone! Get your likes now before they're all used up today.";

it.each([
  [0, 100_000, "text-primary", null],
  [70, 30_000, "text-primary", null],
  [71, 29_900, "text-warning-fill", low],
  [85, 15_000, "text-warning-fill", low],
  [85, 14_999, "text-warning-fill", fast],
  [90, 10_000, "text-warning-fill", fast],
  [91, 9_000, "text-destructive", fast],
  [95, 5_000, "text-destructive", fast],
  [95, 4_999, "text-destructive", almost],
  [100, 0, "text-destructive", almost],
])(
  "at %s %% used, with %s likes left, has the colour %s and the warning: %s",
  (used, left, colour, warning) => {
    const limit = { ...dailyUsage().dailyLimit, percentUsed: used, likesRemaining: left };
    render(<DailyMeter limit={limit} failed={false} />);
    const bar = screen.getByRole("progressbar", { name: "Today's free likes left" });
    expect(bar).toHaveValue(100 - used);
    expect(bar).toHaveClass(colour);
    expect(screen.getByText(`${left.toLocaleString("en")} free likes left today`)).toBeVisible();
    const shown = [low, fast, almost].filter((text) => screen.queryByText(text));
    expect(shown).toEqual(warning ? [warning] : []);
  },
);

it("shows neither a number nor a bar while loading", () => {
  render(<DailyMeter limit={undefined} failed={false} />);
  expect(screen.getByText("Loading today's free likes")).toBeInTheDocument();
  expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
});
