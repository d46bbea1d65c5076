import { FlowScreen } from "@/components/flow/flow-screen";
import { Receipt, type ReceiptProps } from "@/components/flow/receipt";
import { SuccessActions } from "@/components/flow/success-actions";
import { successHeading, successLead } from "@/components/flow/success-notes";

/** Step 4: the request was accepted. */
export function Success({ receipt, demo }: ReceiptProps) {
  return (
    <FlowScreen step={4} heading={successHeading} lead={successLead}>
      <Receipt receipt={receipt} demo={demo} />
      <SuccessActions />
    </FlowScreen>
  );
}
