"use client";

import { WaitPanel } from "@/components/flow/wait-panel";
import type { StatusReply, WaitReason } from "@/lib/api-types";
import { limits } from "@/lib/limits";

const cooldownHours = limits.cooldownSeconds / 3_600;

/** The heading of a screen that shows this panel. */
export const rateLimitedTitle = "Rate Limit Reached";

const words: Record<WaitReason, { title: string; text: string }> = {
  cooldown: {
    title: "You've Already Received Free Likes",
    text: `Our free service allows one boost every ${cooldownHours} hours. You can request more likes in:`,
  },
  daily_cap: {
    title: `You've used all ${limits.maxRequestsPerDay} free requests of the last 24 hours.`,
    text: "The next one becomes free when the oldest is 24 hours old. You can request more likes in:",
  },
  address_cap: {
    title: "Too many requests came from your network today.",
    text: "Others who share your internet connection may have used them. You can request likes in:",
  },
};

export interface RateLimitedProps {
  status: StatusReply;
  onRefresh: () => Promise<unknown>;
}

/** Why a visitor has to wait, and how long. */
export function RateLimited({ status, onRefresh }: RateLimitedProps) {
  const { title, text } = words[status.reason ?? "cooldown"];
  return (
    <WaitPanel
      key={status.nextAvailable}
      status={status}
      onRefresh={onRefresh}
      footer={
        <p className="border-t pt-4 text-sm text-muted-foreground">
          When the time is over, come back and start again with the link of your post.
        </p>
      }
    >
      <div className="flex flex-col gap-1.5">
        <h2 className="text-xl">{title}</h2>
        <p className="text-muted-foreground">{text}</p>
      </div>
    </WaitPanel>
  );
}
