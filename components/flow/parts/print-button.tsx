"use client";

import { Button } from "@/components/ui/button";
import { useCanSaveFiles } from "@/lib/client/hooks/use-can-save-files";

/** Renders a print button. Renders nothing in browsers inside an app, which can neither print nor save. */
export function PrintButton() {
  if (!useCanSaveFiles()) return null;
  return (
    <Button variant="outline" size="sm" onClick={() => window.print()}>
      Print
    </Button>
  );
}
