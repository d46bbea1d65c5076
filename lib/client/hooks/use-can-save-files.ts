import { canSaveFiles } from "@/lib/client/browser/save-file";
import { useBrowserValue } from "@/lib/client/browser/use-browser-value";

/** Returns true if the browser can save and print. On the server and during hydration, returns false. */
export function useCanSaveFiles(): boolean {
  return useBrowserValue(() => canSaveFiles(), false);
}
