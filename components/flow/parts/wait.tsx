"use client";

import { useState } from "react";
import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { Countdown } from "@/components/flow/parts/countdown";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import type { StatusReply, WaitReason } from "@/lib/http/api-responses";
import { useLastOrder } from "@/lib/client/browser/last-order";
import { cooldownHours } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";

/** Returns the heading of a screen with this wait. `limited` is the heading of all waits except the pace of the day. */
export function waitTitle(status: StatusReply | undefined, limited = "Rate Limit Reached"): string {
  return status?.reason === "paced" ? "More Free Likes Come Later" : limited;
}

interface WaitTexts {
  title: string;
  text: string;
}

const waitTexts: Record<WaitReason, WaitTexts> = {
  cooldown: {
    title: "You've Already Received Free Likes",
    text: `Our free service allows one boost every ${cooldownHours} hours. You can request more likes in:`,
  },
  daily_cap: {
    title: `You've used all ${limits.maxRequestsPerDay} free requests of the last 24 hours.`,
    text: "The next one becomes free when the oldest is 24 hours old. You can request more likes in:",
  },
  address_cap: {
    title: "Too many requests came from your network in the last 24 hours.",
    text: "Others who share your internet connection may have used them. You can request likes in:",
  },
  paced: {
    title: "Today's free likes are spread over the day.",
    text: "The next ones come in:",
  },
};

const pacedAdvice =
  `Nothing was counted, and your ${cooldownHours} hours have not started. ` +
  "The next likes are for everybody, so you may have to wait again.";
/** For visitors whose browser has no order of its own. */
const sameDeviceAdvice =
  "Not you? Phones of the same kind on one network look the same to us, so they share one boost.";
const startAgainAdvice = "When the time is over, come back and start again with the link of your post.";

const previewCooldown: WaitTexts = {
  title: "You've already received your free likes.",
  text: "Check back in:",
};

export interface RateLimitedProps {
  status: StatusReply;
  /** Requests the status again, because the server decides when the wait ends. */
  onRefresh: () => Promise<unknown>;
  /** Called when the countdown ends. If `onComplete` is undefined, `onRefresh` is called instead. */
  onComplete?: () => void;
  /** True on the preview page, which has its own texts and no advice to start again. */
  preview?: boolean;
}

/** Renders the reason for a wait, the countdown and the end time. A new end time restarts the component. */
export function RateLimited(props: RateLimitedProps) {
  return <Wait key={props.status.nextAvailable} {...props} />;
}

function Wait({ status, onRefresh, onComplete, preview = false }: RateLimitedProps) {
  const [ended, setEnded] = useState(false);
  const [refreshing, setRefreshing] = useState(false);
  const ownOrder = useLastOrder();
  const { nextAvailable } = status;
  const reason = status.reason ?? "cooldown";
  const { title, text } = preview && reason === "cooldown" ? previewCooldown : waitTexts[reason];
  const advice = reason === "paced" ? pacedAdvice : !preview && startAgainAdvice;

  async function refresh() {
    setRefreshing(true);
    await onRefresh().catch(() => {
      // The error is ignored, because the visitor can press "Check again" after the countdown.
    });
    setRefreshing(false);
  }

  function complete() {
    setEnded(true);
    if (onComplete) onComplete();
    else void refresh();
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
            // A cooldown always has the same length. The length of other waits depends on earlier requests.
            totalSeconds={reason === "cooldown" ? limits.cooldownSeconds : undefined}
            onComplete={complete}
            onClockUncertain={() => void refresh()}
          >
            {ended ? (
              <Button loading={refreshing} onClick={() => void refresh()}>
                {refreshing ? "Checking..." : "Check again"}
              </Button>
            ) : (
              <AddToCalendar at={nextAvailable} />
            )}
          </Countdown>
        )}
        {reason === "cooldown" && !ownOrder && <p className="text-sm">{sameDeviceAdvice}</p>}
        {advice && <p className="border-t pt-4 text-sm text-muted-foreground">{advice}</p>}
      </CardContent>
    </Card>
  );
}
