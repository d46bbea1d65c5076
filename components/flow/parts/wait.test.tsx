import { render, screen } from "@testing-library/react";
import { Wait, type WaitProps } from "@/components/flow/parts/wait";
import { waitingStatus } from "@/testing/jest/flow-data";
import type { WaitReason } from "@/lib/schemas/api-responses";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/* e2e/pages/screens has the texts of a cooldown and of the pace. */
it.each<[WaitReason, title: string, bar: number | null, text?: string]>([
  ["cooldown", "You've Already Received Free Likes", 50],
  [
    "daily_cap",
    "You've used all 6 free requests of the last 24 hours.",
    null,
    "The next one becomes free when the oldest is 24 hours old. You can request more likes in:",
  ],
  [
    "address_cap",
    "Too many requests came from your network in the last 24 hours.",
    null,
    "Others who share your internet connection may have used them. You can request likes in:",
  ],
  ["paced", "Today's free likes are spread over the day.", null],
])(
  "names the reached limit (%s): %s, and shows a bar only if the wait has a known start",
  (reason, title, bar, text = title) => {
    const status = { data: waitingStatus(7_200, reason), mutate: () => Promise.resolve() };
    render(<Wait status={status as unknown as WaitProps["status"]} />);
    expect(screen.getByRole("heading")).toHaveTextContent(title);
    expect(document.body).toHaveTextContent(text);
    expect(screen.getByRole("timer")).toHaveTextContent("02:00:00");
    const bars = screen.queryAllByRole<HTMLProgressElement>("progressbar").map(({ value }) => value);
    expect(bars).toEqual(bar === null ? [] : [bar]);
    expect(document.querySelector("[data-dots]")).toBeNull();
  },
);
