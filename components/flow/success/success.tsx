import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { Receipt, type ReceiptProps } from "@/components/flow/success/receipt";
import { SuccessActions } from "@/components/flow/success/success-actions";
import { successHeading, successLead } from "@/components/flow/success/success-notes";

/** Renders step 4, which shows the receipt of an accepted request for likes. */
export function Success({ receipt, demo }: ReceiptProps) {
  return (
    <FlowScreen step={4} heading={successHeading} lead={successLead}>
      <Receipt receipt={receipt} demo={demo} />
      <SuccessActions />
    </FlowScreen>
  );
}
