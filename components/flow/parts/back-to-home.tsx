"use client";

import { Button } from "@/components/ui/button";
import { exitFlow } from "@/lib/client/api/queries";

/** Renders a button that opens the home page and deletes this tab's stored data about the post. */
export function BackToHome({ label = "Back to Home" }: { label?: string }) {
  return (
    <Button size="lg" variant="outline" onClick={exitFlow} className="sm:self-start">
      {label}
    </Button>
  );
}
