"use client";

import { Button } from "@/components/ui/button";
import { useExitFlow } from "@/lib/client/api/swr";

/** Ends a round: forgets what the steps have stored and opens the home page. */
export function BackToHome() {
  const leave = useExitFlow();
  return (
    <Button size="lg" variant="outline" onClick={leave} className="sm:self-start">
      Back to Home
    </Button>
  );
}
