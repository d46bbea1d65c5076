"use client";

import { Button } from "@/components/ui/button";
import { canSaveFiles } from "@/lib/client/browser/save-file";
import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";

/** Renders a print button. Renders nothing in browsers inside an app, which can neither print nor save. */
export function PrintButton() {
  const supported = useBrowserValue(() => canSaveFiles(navigator.userAgent), false);
  if (!supported) return null;
  return (
    <Button variant="outline" size="sm" onClick={() => window.print()}>
      Print
    </Button>
  );
}
