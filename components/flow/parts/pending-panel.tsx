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
  /** Asks about the same request again. */
  onCheck: () => void;
  checking: boolean;
  /** Ways to leave, beside the one button. */
  children: ReactNode;
}

/**
 * The outcome of the request is not known yet: neither a success nor a failure, and it says so. Its button counts down to
 * the moment from which asking again makes sense, and works from then on; it keeps the focus all the while.
 */
export function PendingPanel({ outcome, onCheck, checking, children }: PendingPanelProps) {
  const left = useSecondsUntil(outcome.askAgainAtMs);
  const waits = left > 0 && !checking;
  return (
    <>
      <Alert variant="info" role="status" title={title} className="animate-appear">
        <p className="text-muted-foreground">{withoutTitle(outcome.message)}</p>
      </Alert>
      <Actions>
        <Button
          size="lg"
          loading={checking}
          variant={waits ? "ghost" : "default"}
          aria-disabled={waits || undefined}
          onClick={waits ? undefined : onCheck}
          className={waits ? "figures cursor-default bg-muted" : "figures"}
        >
          {checking ? "Checking..." : waits ? `Check again in ${left} s` : "Check again"}
        </Button>
        {children}
      </Actions>
      <p role="status" className="sr-only">
        {left === 0 && !checking && "You can check again now."}
      </p>
    </>
  );
}

/** The server's words may begin with what the title says. */
function withoutTitle(message: string): string {
  return message.startsWith(`${title}. `) ? message.slice(title.length + 2) : message;
}

/** Whole seconds until a moment of `performance.now()`, counted down to 0. */
function useSecondsUntil(atMs: number): number {
  const subscribe = useCallback((changed: () => void) => {
    const timer = setInterval(changed, timing.countdownTickMs);
    return () => clearInterval(timer);
  }, []);
  const secondsLeft = () => Math.max(0, Math.ceil((atMs - performance.now()) / 1_000));
  return useSyncExternalStore(subscribe, secondsLeft, secondsLeft);
}
