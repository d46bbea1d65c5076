import type { ReactNode } from "react";
import { LocalTime } from "@/components/flow/parts/local-time";
import { SuccessNotes } from "@/components/flow/success/success-notes";
import { Alert } from "@/components/ui/alert";
import { DotGrid } from "@/components/ui/dot-grid";
import type { Receipt as ReceiptData } from "@/lib/http/api-responses";
import type { DemoMode } from "@/lib/config/build-settings";

const demoTexts: Record<DemoMode, { title: string; done: string }> = {
  demo: { title: "Demo mode: nothing was sent.", done: "accepted and counted" },
  trial: { title: "Demo mode: no likes were sent.", done: "taken by the example service on this machine" },
};

export interface ReceiptProps {
  /** Null while the receipt loads, and after an error. */
  receipt: ReceiptData | null;
  demo: DemoMode | null;
}

/** Renders what happens next, and the receipt. In a demo mode, an alert says that no likes were sent. */
export function Receipt({ receipt, demo }: ReceiptProps) {
  return (
    <>
      {demo && (
        <Alert variant="info" title={demoTexts[demo].title}>
          <p className="text-muted-foreground">
            Your request was {demoTexts[demo].done}, but no likes go to Instagram from this site.
          </p>
        </Alert>
      )}
      <SuccessNotes receipt={receipt} />
      {receipt && <Details receipt={receipt} />}
    </>
  );
}

function Details({ receipt }: { receipt: ReceiptData }) {
  return (
    <section aria-labelledby="receipt" className="rounded border bg-card shadow">
      <div className="flex items-center justify-between gap-4 border-b px-4 py-4 sm:px-6">
        <h2 id="receipt" className="text-lg">
          Your receipt
        </h2>
        <DotGrid filled={receipt.likes} label={`All ${receipt.likes} likes requested`} className="w-32" />
      </div>
      <dl className="flex flex-col gap-3 px-4 py-4 sm:gap-2 sm:px-6">
        <Row name="Order reference">
          <span translate="no" className="code">
            {receipt.reference}
          </span>
        </Row>
        <Row name={receipt.type === "reel" ? "Reel" : "Post"}>
          <span translate="no" className="code">
            {receipt.postId}
          </span>
        </Row>
        <Row name="Likes requested">{receipt.likes}</Row>
        <Row name="Accepted">
          <LocalTime at={receipt.acceptedAt} />
        </Row>
        <Row name="Next free likes from">
          <strong className="font-semibold">
            <LocalTime at={receipt.nextAvailable} />
          </strong>
        </Row>
      </dl>
    </section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="sm:grid sm:grid-cols-[12rem_1fr] sm:items-baseline">
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="figures">{children}</dd>
    </div>
  );
}
