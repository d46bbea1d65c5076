"use client";

import { Button } from "@/components/ui/button";
import { forgetVisitor } from "@/lib/client/api/queries";
import { clearFlowValues } from "@/lib/client/browser/flow-storage";
import { goTo } from "@/lib/client/browser/navigate";
import { pages } from "@/lib/http/pages";

/** Renders a button that opens the home page and deletes this tab's stored data about the post. */
export function BackToHome({ label = "Back to Home" }: { label?: string }) {
  return (
    <Button size="lg" variant="outline" onClick={exitFlow} className="sm:self-start">
      {label}
    </Button>
  );
}

function exitFlow() {
  const clearFlowData = () => {
    clearFlowValues();
    forgetVisitor();
  };
  // Clears the data on pagehide, so that the visible page does not change before the home page opens.
  window.addEventListener("pagehide", clearFlowData, { once: true });
  goTo(pages.home.path);
}
