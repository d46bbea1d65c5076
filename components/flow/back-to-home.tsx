"use client";

import { Button } from "@/components/ui/button";
import { useLeaveFlow } from "@/lib/client/swr";

/** Ends a round: forgets what the steps have stored and opens the home page. */
export function BackToHome() {
  const leave = useLeaveFlow();
  return (
    <Button size="lg" variant="outline" onClick={leave} className="sm:self-start">
      Back to Home
    </Button>
  );
}
