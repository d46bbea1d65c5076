import type { ReactNode } from "react";
import { Actions } from "@/components/flow/parts/actions";
import type { PendingOutcome } from "@/components/flow/hooks/use-request-step";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useCountdown } from "@/lib/client/hooks/use-countdown";

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
  const secondsLeft = useCountdown({ deadline: outcome.retryAt });
  const waiting = secondsLeft > 0 && !checking;
  return (
    <>
      <Alert variant="info" role="status" title={title} className="animate-appear">
        {/* The server's message may begin with the title. */}
        <p className="text-muted-foreground">{outcome.message.replace(`${title}. `, "")}</p>
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
