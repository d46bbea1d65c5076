"use client";

import { useCallback, useSyncExternalStore, type ReactNode } from "react";
import { Actions } from "@/components/flow/parts/actions";
import type { PendingOutcome } from "@/components/flow/hooks/use-like-request";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { timing } from "@/lib/config/limits";

const title = "Your request is being processed";

export interface PendingPanelProps {
  outcome: PendingOutcome;
  /** Sends the same request again to get its outcome. */
  onCheck: () => void;
  checking: boolean;
  children: ReactNode;
}

/** Renders a like request with an unknown outcome, and a button that counts down to the next check. */
export function PendingPanel({ outcome, onCheck, checking, children }: PendingPanelProps) {
  const secondsLeft = useSecondsUntil(outcome.retryAtMs);
  const waiting = secondsLeft > 0 && !checking;
  return (
    <>
      <Alert variant="info" role="status" title={title} className="animate-appear">
        <p className="text-muted-foreground">{withoutTitle(outcome.message)}</p>
      </Alert>
      <Actions>
        <Button
          size="lg"
          loading={checking}
          variant={waiting ? "ghost" : "default"}
          // aria-disabled, because a disabled button would lose the focus.
          aria-disabled={waiting || undefined}
          onClick={waiting ? undefined : onCheck}
          className={waiting ? "figures cursor-default bg-muted" : "figures"}
        >
          {checking ? "Checking..." : waiting ? `Check again in ${secondsLeft} s` : "Check again"}
        </Button>
        {children}
      </Actions>
      <p role="status" className="sr-only">
        {secondsLeft === 0 && !checking && "You can check again now."}
      </p>
    </>
  );
}

/** Removes the panel's title from the start of the server's message, to avoid showing the title twice. */
function withoutTitle(message: string): string {
  return message.startsWith(`${title}. `) ? message.slice(title.length + 2) : message;
}

/** Returns the whole seconds until a time on the `performance.now()` clock, down to 0. */
function useSecondsUntil(atMs: number): number {
  const subscribe = useCallback((onChange: () => void) => {
    const timer = setInterval(onChange, timing.countdownTickMs);
    return () => clearInterval(timer);
  }, []);
  const secondsLeft = () => Math.max(0, Math.ceil((atMs - performance.now()) / 1_000));
  return useSyncExternalStore(subscribe, secondsLeft, secondsLeft);
}
