"use client";

import { useState } from "react";
import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { Countdown } from "@/components/flow/parts/countdown";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import type { StatusReply, WaitReason } from "@/lib/http/api-responses";
import { limits } from "@/lib/config/limits";

const cooldownHours = limits.cooldownSeconds / 3_600;

/** The heading of a step that shows this panel. */
export const rateLimitedTitle = "Rate Limit Reached";

interface Words {
  title: string;
  /** Leads to the countdown. */
  text: string;
}

const words: Record<WaitReason, Words> = {
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

const previewCooldown: Words = {
  title: "You've already received your free likes.",
  text: "Check back in:",
};

export interface RateLimitedProps {
  status: StatusReply;
  /** Asks the server again: it has the last word on when the wait is over. */
  onRefresh: () => Promise<unknown>;
  /** Called when the countdown ends; asking the server again unless told otherwise. */
  onComplete?: () => void;
  /** On the preview, which has words of its own and says below what comes then. */
  preview?: boolean;
}

/**
 * The wait of every screen: why, how long, until when. The screen's own heading says that a limit is reached; the heading
 * in here says which, by the server's reason. A new end is a new wait.
 */
export function RateLimited(props: RateLimitedProps) {
  return <Wait key={props.status.nextAvailable} {...props} />;
}

function Wait({ status, onRefresh, onComplete, preview = false }: RateLimitedProps) {
  const [over, setOver] = useState(false);
  const [asking, setAsking] = useState(false);
  const { nextAvailable, serverTime } = status;
  const reason = status.reason ?? "cooldown";
  const { title, text } = preview && reason === "cooldown" ? previewCooldown : words[reason];

  async function ask() {
    setAsking(true);
    await onRefresh().catch(() => {
      // The button stays: ask again.
    });
    setAsking(false);
  }

  function complete() {
    setOver(true);
    if (onComplete) onComplete();
    else void ask();
  }

  return (
    <Card>
      <CardContent className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <h2 className="text-xl">{title}</h2>
          <p className="text-muted-foreground">{text}</p>
        </div>
        {nextAvailable && (
          <Countdown
            deadline={nextAvailable}
            serverTime={serverTime}
            // The other waits end when an earlier request is old enough, and do not say when that was.
            wholeSeconds={reason === "cooldown" ? limits.cooldownSeconds : undefined}
            onComplete={complete}
            onDoubt={() => void ask()}
          >
            {over ? (
              <Button loading={asking} onClick={() => void ask()}>
                {asking ? "Checking..." : "Check again"}
              </Button>
            ) : (
              <AddToCalendar at={nextAvailable} />
            )}
          </Countdown>
        )}
        {!preview && (
          <p className="border-t pt-4 text-sm text-muted-foreground">
            When the time is over, come back and start again with the link of your post.
          </p>
        )}
      </CardContent>
    </Card>
  );
}
