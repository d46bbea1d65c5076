import type { ReactNode } from "react";
import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { CopyReference } from "@/components/flow/parts/copy-reference";
import { LocalTime } from "@/components/flow/parts/local-time";
import { PrintButton } from "@/components/flow/parts/print-button";
import { SuccessNotes } from "@/components/flow/success/success-notes";
import { Alert } from "@/components/ui/alert";
import { DotGrid, type DotState } from "@/components/ui/dot-grid";
import type { Receipt as ReceiptData } from "@/lib/http/api-responses";
import { issueFormPath } from "@/lib/http/pages";

/** Texts that differ between demo and live sites. The page passes them, so that scripts contain neither. */
export type ReceiptTexts = {
  /** Says that no likes were sent. Null on a live site. */
  notice: { title: string; text: string } | null;
  /** Caption of the fifty dots. On a demo site, it says that none were sent. */
  dotsCaption: string;
  /** Heading above the delivery times. */
  nextTitle: string;
};

export interface ReceiptProps {
  /** Null while the receipt loads, and after an error. */
  receipt: ReceiptData | null;
  texts: ReceiptTexts;
}

/** Renders what happens next, and the receipt. In a demo mode, an alert says that no likes were sent. */
export function Receipt({ receipt, texts: { notice, dotsCaption, nextTitle } }: ReceiptProps) {
  return (
    <>
      {notice && (
        <Alert variant="info" title={notice.title}>
          <p className="text-muted-foreground">{notice.text}</p>
        </Alert>
      )}
      <SuccessNotes receipt={receipt} title={nextTitle} />
      {receipt && (
        <Details receipt={receipt} dots={notice ? "requested" : "accepted"} dotsCaption={dotsCaption} />
      )}
    </>
  );
}

interface DetailsProps {
  receipt: ReceiptData;
  dots: DotState;
  dotsCaption: string;
}

function Details({ receipt, dots, dotsCaption }: DetailsProps) {
  return (
    <section aria-labelledby="receipt" className="rounded border bg-card shadow">
      <div className="flex items-center justify-between gap-4 border-b px-4 py-4 sm:px-6">
        <h2 id="receipt" className="text-lg">
          Your receipt
        </h2>
        <figure className="flex flex-col gap-1.5">
          <DotGrid state={dots} className="w-32" />
          <figcaption className="text-xs text-muted-foreground">{dotsCaption}</figcaption>
        </figure>
      </div>
      <dl className="flex flex-col gap-3 px-4 py-4 sm:gap-2 sm:px-6">
        <Row name="Order reference">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span translate="no" className="code">
              {receipt.reference}
            </span>
            <CopyReference reference={receipt.reference} />
          </span>
          <span className="block text-sm text-muted-foreground">Keep this for questions</span>
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
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t px-4 py-3 sm:px-6 print:hidden">
        <AddToCalendar at={receipt.nextAvailable} />
        <PrintButton />
        <a href={issueFormPath} className="link inline-flex min-h-11 items-center text-sm font-medium">
          Report a problem
        </a>
      </div>
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
