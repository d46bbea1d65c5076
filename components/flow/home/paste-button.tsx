"use client";

import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";

export interface PasteButtonProps {
  /** Called with the clipboard's text. Called with null if the browser or the visitor denied access. */
  onText: (text: string | null) => void;
}

/** Renders a paste button. Renders nothing on the server and in browsers that cannot read the clipboard. */
export function PasteButton({ onText }: PasteButtonProps) {
  const supported = useSyncExternalStore(queryPermission, canReadClipboard, () => false);
  if (!supported) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      className="absolute inset-y-1.5 right-1.5 @max-3xs:static @max-3xs:mt-2 @max-3xs:w-full"
      onClick={() => void navigator.clipboard.readText().then(onText, () => onText(null))}
    >
      Paste
    </Button>
  );
}

/** True if the browser denies clipboard access. Some in-app browsers deny access without asking the visitor. */
let denied = false;

function canReadClipboard(): boolean {
  // `navigator.clipboard` is undefined on plain http pages, and some browsers have no `readText`.
  return !denied && Boolean((navigator.clipboard as Partial<Clipboard> | undefined)?.readText);
}

function queryPermission(onChange: () => void): () => void {
  const { permissions } = navigator as Partial<Navigator>;
  permissions?.query({ name: "clipboard-read" as PermissionName }).then(
    ({ state }) => {
      denied = state === "denied";
      onChange();
    },
    () => {
      // Firefox and Safari reject this permission name. These browsers ask the visitor after the click.
    },
  );
  return () => {};
}
