"use client";

import { useState, type ReactNode } from "react";
import { Countdown } from "@/components/flow/countdown";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import type { StatusReply } from "@/lib/api-types";

export interface WaitPanelProps {
  status: StatusReply;
  /** What stands above the countdown. */
  children: ReactNode;
  /** Below it. */
  footer?: ReactNode;
  /** Asks the server again. */
  onRefresh: () => Promise<unknown>;
  /** Called when the countdown ends; asking the server again unless told otherwise. */
  onComplete?: () => void;
}

/** The countdown of every screen that makes a visitor wait. The server has the last word on when it is over. */
export function WaitPanel({ status, children, footer, onRefresh, onComplete }: WaitPanelProps) {
  const [over, setOver] = useState(false);
  const [asking, setAsking] = useState(false);

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
        {children}
        {status.nextAvailable && (
          <Countdown
            deadline={status.nextAvailable}
            serverTime={status.serverTime}
            onComplete={complete}
            onDoubt={() => void ask()}
          />
        )}
        {over && (
          <Button loading={asking} onClick={() => void ask()} className="self-start">
            {asking ? "Checking..." : "Check again"}
          </Button>
        )}
        {footer}
      </CardContent>
    </Card>
  );
}
