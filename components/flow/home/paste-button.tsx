"use client";

import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";

export interface PasteButtonProps {
  /** Gets the clipboard's text, or null when the browser or the visitor did not let it be read. */
  onText: (text: string | null) => void;
  className?: string;
}

/** Reads the clipboard on a press. It is there only where that can come to something, and so not without script. */
export function PasteButton({ onText, className }: PasteButtonProps) {
  const offered = useSyncExternalStore(askForPermission, canReadClipboard, () => false);
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

/** What the browser says of this permission. One inside an app refuses the clipboard without asking anybody. */
let refused = false;

function canReadClipboard(): boolean {
  // Neither is everywhere: not on http, and not in every browser.
  return !refused && Boolean((navigator.clipboard as Partial<Clipboard> | undefined)?.readText);
}

function askForPermission(onAnswer: () => void): () => void {
  const { permissions } = navigator as Partial<Navigator>;
  permissions?.query({ name: "clipboard-read" as PermissionName }).then(
    ({ state }) => {
      refused = state === "denied";
      onAnswer();
    },
    () => {
      // Firefox and Safari know no such permission: they ask at the press.
    },
  );
  return () => {};
}
