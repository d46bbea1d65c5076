import { FlowScreen } from "@/components/flow/flow-screen";
import { Receipt } from "@/components/flow/receipt";
import { SuccessActions } from "@/components/flow/success-actions";
import { SuccessNotes, successHeading, successLead } from "@/components/flow/success-notes";
import type { Receipt as ReceiptData } from "@/lib/api-types";

/** Step 4: the request was accepted. */
export function Success({ receipt }: { receipt: ReceiptData }) {
  return (
    <FlowScreen step={4} heading={successHeading} lead={successLead}>
      <SuccessNotes />
      <Receipt receipt={receipt} />
      <SuccessActions />
    </FlowScreen>
  );
}
