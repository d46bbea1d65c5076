"use client";

import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

const title = "Your request is being processed";

export interface PendingPanelProps {
  /** The server's words. */
  message: string;
  /** When asking again makes sense, in seconds from now. */
  retryAfterSeconds: number;
  onCheck: () => void;
  checking: boolean;
}

/**
 * The outcome of the request is not known yet. Neither a success nor a failure, and it says so. A new `key` per answer
 * starts the pause anew.
 */
export function PendingPanel({ message, retryAfterSeconds, onCheck, checking }: PendingPanelProps) {
  const left = useSecondsLeft(retryAfterSeconds);
  return (
    <Alert variant="info" role="status" title={title} className="animate-appear">
      <p className="text-muted-foreground">{withoutTitle(message)}</p>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="outline" size="sm" loading={checking} disabled={left > 0} onClick={onCheck}>
          {checking ? "Checking..." : "Check again"}
        </Button>
        {left > 0 && !checking && (
          <span aria-live="off" className="figures text-sm text-muted-foreground">
            Possible in {left} s
          </span>
        )}
      </div>
    </Alert>
  );
}

/** The server's words may begin with what the title says. */
function withoutTitle(message: string): string {
  return message.startsWith(`${title}. `) ? message.slice(title.length + 2) : message;
}

function useSecondsLeft(seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = performance.now() + seconds * 1_000;
    const timer = setInterval(() => {
      const remaining = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
      setLeft(remaining);
      if (remaining === 0) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
