import type { ReactNode } from "react";
import type { FlowScreenProps } from "@/components/flow/parts/flow-screen";
import { LocalTime } from "@/components/flow/parts/local-time";
import { Receipt, type ReceiptTexts } from "@/components/flow/success/receipt";
import { cn } from "@/lib/client/cn";
import type { Receipt as ReceiptData } from "@/lib/schemas/api-responses";
import { deliveryTimes } from "@/lib/content/figures";
import { cooldownHours } from "@/lib/content/site";

/**
 * Returns the props of a screen with the receipt of an accepted order, the actions below it, and what happens next. `failure`
 * replaces the data of the receipt.
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
    lead: "We've sent 50 free likes to your post. They'll begin appearing within minutes.",
    notice: texts.notice,
    children: (
      <>
        <Receipt receipt={receipt} dots={texts.dots}>
          {failure}
        </Receipt>
        {actions}
      </>
    ),
    aside: <SuccessNotes receipt={receipt} title={texts.nextTitle} />,
  } satisfies Partial<FlowScreenProps>;
}

/** Renders a timeline of request, expected delivery and next request. Without a receipt, it has no times. */
function SuccessNotes({ receipt, title }: { receipt: ReceiptData | null; title: string }) {
  const fullAt = receipt && new Date(Date.parse(receipt.acceptedAt) + deliveryTimes.fullMinutes * 60_000);
  const fullNote = deliveryTimes.full.charAt(0).toUpperCase() + deliveryTimes.full.slice(1);
  const moments = [
    { before: "Accepted ", at: receipt?.acceptedAt, format: "time", note: `${deliveryTimes.begin}.` },
    { before: "About ", at: fullAt?.toISOString(), format: "time", note: `${fullNote}.` },
    {
      before: "From ",
      at: receipt?.nextAvailable,
      format: "day",
      note: `You can boost another post after ${cooldownHours} hours.`,
    },
  ] as const;
  return (
    <section aria-labelledby="next" className="flex flex-col gap-3 max-lg:pt-6">
      <h2 id="next" className="text-h3">
        {title}
      </h2>
      <ol role="list">
        {moments.map(({ before, at, format, note }, index) => (
          <li key={note} className="group relative flex gap-3 pb-4 last:pb-0">
            {/* A dot, and a line to the next dot. Borders stay visible in forced colours. */}
            <span aria-hidden="true" className="mt-0.5 grid h-5 w-4 shrink-0 place-items-center">
              <span
                className={cn(
                  "rounded-full",
                  index === 0 ? "border-8 border-primary" : "border-3 border-input",
                )}
              />
              <span className="absolute top-5.5 -bottom-0.5 left-2 border-l border-input group-last:hidden" />
            </span>
            <div>
              <p className="tabular-nums min-h-lh font-semibold">
                {at && before}
                {at && <LocalTime at={at} format={format} />}
              </p>
              <p>{note}</p>
            </div>
          </li>
        ))}
      </ol>
      {deliveryTimes.sample && (
        <p className="text-sm text-muted-foreground">Times of delivery are the operator&apos;s estimate.</p>
      )}
    </section>
  );
}
