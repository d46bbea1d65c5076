import type { ReactNode } from "react";
import { Timeline } from "@/components/flow/parts/timeline";
import type { FlowScreenProps } from "@/components/flow/parts/flow-screen";
import { Receipt, type ReceiptTexts } from "@/components/flow/success/receipt";
import type { Receipt as ReceiptData } from "@/lib/schemas/api-responses";

/**
 * Returns the props of a screen with the receipt of an accepted order. The actions and what happens next stand beside it, or
 * below it on phones. `failure` replaces the data of the receipt.
 */
export function orderScreen(
  receipt: ReceiptData | null,
  texts: ReceiptTexts,
  actions: ReactNode,
  failure?: ReactNode,
) {
  return {
    current: 4,
    title: "Likes Sent Successfully",
    heading: "Likes Delivered Successfully!",
    notice: texts.notice,
    children: (
      <Receipt
        receipt={receipt}
        dots={texts.dots}
        lead="We've sent 50 free likes to your post. They'll begin appearing within minutes."
      >
        {failure}
      </Receipt>
    ),
    aside: (
      <div className="flex flex-col gap-4 max-lg:pt-1 lg:mt-16.5 lg:flex-col-reverse lg:gap-6 lg:self-start">
        {actions}
        <Timeline
          receipt={receipt}
          title={texts.nextTitle}
          className="max-lg:pt-6 lg:mt-0! lg:self-stretch!"
        />
      </div>
    ),
  } satisfies Partial<FlowScreenProps>;
}
