import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { Receipt, type ReceiptProps } from "@/components/flow/success/receipt";
import { SuccessActions } from "@/components/flow/success/success-actions";
import { successHeading, successLead } from "@/components/flow/success/success-notes";

/** Renders step 4: the receipt of the like request that the server accepted. */
export function Success({ receipt, demo }: ReceiptProps) {
  return (
    <FlowScreen step={4} heading={successHeading} lead={successLead}>
      <Receipt receipt={receipt} demo={demo} />
      <SuccessActions />
    </FlowScreen>
  );
}
