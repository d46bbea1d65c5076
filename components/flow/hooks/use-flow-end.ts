import { useEffect } from "react";
import { broadcastFlowChange } from "@/lib/client/browser/broadcast";
import { deleteFlows, findFlows } from "@/lib/client/browser/flow-cookies";
import { clearFlowValues, isFlowTab } from "@/lib/client/browser/flow-storage";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";

/**
 * Ends the flow when a visitor who has started one in this tab sees the page, also after Back. A page that the browser only
 * prepares, or opens in a background tab, waits. It then ends only flows that it knows, because a newer flow may run in another
 * tab.
 */
export function useFlowEnd(): void {
  usePageRestored(() => end(findFlows()));
  useEffect(() => {
    const flows = findFlows();
    if (document.visibilityState === "visible") return end(flows);
    const endWhenSeen = () => end(flows);
    document.addEventListener("visibilitychange", endWhenSeen, { once: true });
    return () => document.removeEventListener("visibilitychange", endWhenSeen);
  }, []);
}

function end(flows: readonly string[]): void {
  if (!isFlowTab()) return;
  deleteFlows(flows);
  clearFlowValues();
  broadcastFlowChange();
}
