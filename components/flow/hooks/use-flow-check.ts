import { useEffect } from "react";
import { endsFlow } from "@/components/flow/hooks/use-request-step";
import { fetchReceipt } from "@/lib/client/api/queries";
import { onFlowChange } from "@/lib/client/browser/flow";
import { reloadPage } from "@/lib/client/browser/navigate";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";

/**
 * Asks the server whether this step is still open. If the flow has ended, or an order is accepted, loads the page
 * again. The server then sends the start-over notice or the receipt. Returns the error of a failed request.
 */
export async function checkFlow(): Promise<unknown> {
  try {
    if ((await fetchReceipt()).order) reloadPage();
  } catch (error) {
    if (endsFlow(error)) reloadPage();
    return error;
  }
}

/** Calls `checkFlow` when the browser restores the page, and when another tab changes the flow. */
export function useFlowCheck(): void {
  usePageRestored(() => void checkFlow());
  useEffect(() => onFlowChange(() => void checkFlow()), []);
}
