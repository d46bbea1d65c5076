import { render, screen } from "@testing-library/react";
import { DailyMeter } from "@/components/flow/home/daily-meter";
import { dailyUsage } from "@/testing/jest/flow-data";

const low = "Daily likes are running low! Act now before they're gone.";
const fast = "Today's likes are going fast! Don't miss out.";
const almost = "Almost gone! Get your likes now before they're all used up today.";

it.each([
  [30_000, "text-primary", null],
  [29_999, "text-warning-fill", low],
  [15_000, "text-warning-fill", low],
  [14_999, "text-warning-fill", fast],
  [10_000, "text-warning-fill", fast],
  [9_999, "text-destructive", fast],
  [5_000, "text-destructive", fast],
  [4_999, "text-destructive", almost],
  [0, "text-destructive", almost],
])("with %s of 100,000 likes left, has the colour %s and the warning: %s", (left, colour, warning) => {
  const { dailyLimit } = dailyUsage();
  const limit = { ...dailyLimit, likesUsed: dailyLimit.totalLimit - left, likesRemaining: left };
  render(<DailyMeter limit={limit} failed={false} />);
  const bar = screen.getByRole("progressbar", { name: "Today's free likes left" });
  expect(bar).toHaveValue(left / 1_000);
  expect(bar).toHaveClass(colour);
  expect(screen.getByText(`${left.toLocaleString("en")} free likes left today`)).toBeVisible();
  const shown = [low, fast, almost].filter((text) => screen.queryByText(text));
  expect(shown).toEqual(warning ? [warning] : []);
});

it("shows neither a number nor a bar while loading", () => {
  render(<DailyMeter limit={undefined} failed={false} />);
  expect(screen.getByText("Loading today's free likes")).toBeInTheDocument();
  expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
});
