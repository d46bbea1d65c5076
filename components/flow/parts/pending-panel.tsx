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
  /** Sends the request for likes again with the same Idempotency-Key, to get the outcome of the order. */
  onCheck: () => void;
  checking: boolean;
  children: ReactNode;
}

/** Shows that the outcome of the order is unknown. After a countdown, a button checks the outcome again. */
export function PendingPanel({ outcome, onCheck, checking, children }: PendingPanelProps) {
  const secondsLeft = useSecondsUntil(outcome.retryAtMs);
  const waiting = secondsLeft > 0 && !checking;
  return (
    <>
      <Alert variant="info" role="status" title={title} className="animate-appear">
        <p className="text-muted-foreground">{withoutTitle(outcome.message)}</p>
        <p className="mt-1.5">You may leave: the same request is kept and never counted twice.</p>
      </Alert>
      <Actions>
        <Button
          size="lg"
          loading={checking}
          variant={waiting ? "ghost" : "default"}
          // Uses aria-disabled, because a button with `disabled` would lose the focus.
          aria-disabled={waiting || undefined}
          onClick={waiting ? undefined : onCheck}
          className={waiting ? "tabular-nums cursor-default bg-muted" : "tabular-nums"}
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

/** Returns the seconds until `atMs` (a `performance.now()` time), rounded up. Returns 0 after that time. */
function useSecondsUntil(atMs: number): number {
  const subscribe = useCallback((onChange: () => void) => {
    const timer = setInterval(onChange, timing.countdownTickMs);
    return () => clearInterval(timer);
  }, []);
  const secondsLeft = () => Math.max(0, Math.ceil((atMs - performance.now()) / 1_000));
  return useSyncExternalStore(subscribe, secondsLeft, secondsLeft);
}
