"use client";

import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { canReadClipboard, queryClipboard, readClipboard } from "@/lib/client/browser/clipboard";

export interface PasteButtonProps {
  /** Called with the clipboard's text. Called with null if the browser or the visitor denied access. */
  onText: (text: string | null) => void;
}

/** Renders a paste button. Renders nothing on the server and in browsers that cannot read the clipboard. */
export function PasteButton({ onText }: PasteButtonProps) {
  const supported = useSyncExternalStore(queryClipboard, canReadClipboard, () => false);
  if (!supported) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      className="absolute inset-y-1.5 right-1.5 @max-3xs:static @max-3xs:mt-2 @max-3xs:w-full"
      onClick={() => void readClipboard().then(onText, () => onText(null))}
    >
      Paste
    </Button>
  );
}
