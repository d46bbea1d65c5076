"use client";

import { Button } from "@/components/ui/button";
import { useExitFlow } from "@/lib/client/api/queries";

/** Renders a button that opens the home page and deletes this tab's stored data about the post. */
export function BackToHome() {
  const exitFlow = useExitFlow();
  return (
    <Button size="lg" variant="outline" onClick={exitFlow} className="sm:self-start">
      Back to Home
    </Button>
  );
}
