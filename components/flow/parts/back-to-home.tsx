"use client";

import { Button } from "@/components/ui/button";
import { useExitFlow } from "@/lib/client/api/swr";

/** Renders a button that deletes the flow values of this tab and opens the home page. */
export function BackToHome() {
  const exitFlow = useExitFlow();
  return (
    <Button size="lg" variant="outline" onClick={exitFlow} className="sm:self-start">
      Back to Home
    </Button>
  );
}
