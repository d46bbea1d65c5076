"use client";

import { Button } from "@/components/ui/button";
import { useBrowserValue } from "@/lib/client/use-browser-value";

export interface PasteButtonProps {
  /** Gets the clipboard's text, or null when the browser or the visitor did not let it be read. */
  onText: (text: string | null) => void;
  className?: string;
}

/** Reads the clipboard on a press. It is there only where the browser can, and so not without script. */
export function PasteButton({ onText, className }: PasteButtonProps) {
  const offered = useBrowserValue(canReadClipboard, false);
  if (!offered) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      className={className}
      onClick={() => void navigator.clipboard.readText().then(onText, () => onText(null))}
    >
      Paste
    </Button>
  );
}

function canReadClipboard(): boolean {
  // Neither is everywhere: not on http, and not in every browser.
  return Boolean((navigator.clipboard as Partial<Clipboard> | undefined)?.readText);
}
