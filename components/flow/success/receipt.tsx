import { useState, type ReactNode } from "react";
import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { LocalTime } from "@/components/flow/parts/local-time";
import { NeedsScript } from "@/components/flow/parts/loading-view";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { DotPanel, type Dots } from "@/components/ui/dot-grid";
import { Spinner } from "@/components/ui/spinner";
import type { Receipt as ReceiptData } from "@/lib/schemas/api-responses";
import { writeClipboard } from "@/lib/client/browser/interfaces";
import { useCanSaveFiles } from "@/lib/client/browser/save-file";
import { canonicalLink } from "@/lib/flow/post-links";
import { issueFormPath } from "@/lib/http/pages";

/** Texts that differ between demo and live sites. The page passes them, so that scripts contain neither. */
export type ReceiptTexts = {
  /** Says that no likes were sent, in the colours of the demo banner. Null on a live site. */
  notice: { title: string; text: string } | null;
  /** The dots of an accepted order. On a demo site, they say that no likes were sent. */
  dots: Dots;
  /** Heading above the delivery times. */
  nextTitle: string;
};

export interface ReceiptProps {
  /** Null while the receipt loads. */
  receipt: ReceiptData | null;
  dots: Dots;
  /** Text below the dots. */
  lead: string;
  /** Shown instead of the data. */
  children?: ReactNode;
}

/**
 * Renders the receipt of an accepted order. The dots are visible before the receipt is loaded, at the place that they have in
 * step 3.
 */
export function Receipt({ receipt, dots, lead, children }: ReceiptProps) {
  return (
    <Card role="region" aria-labelledby="receipt" className="pb-0 max-sm:gap-3 sm:pb-0">
      <CardContent className="flex flex-wrap items-center justify-between gap-x-3">
        <div className="grid min-h-12 content-center">
          <h2 id="receipt" className="text-h3">
            Your receipt
          </h2>
          <p translate="no" className="code mt-0.5 text-base! leading-6 sm:mt-0 font-medium sm:text-lg!">
            {receipt?.reference}
          </p>
        </div>
        {receipt && <CopyReference reference={receipt.reference} />}
      </CardContent>
      <CardContent className="flex flex-col gap-3 sm:gap-4">
        <DotPanel dots={dots} />
        <p className="text-balance text-muted-foreground max-sm:-mt-2">{lead}</p>
      </CardContent>
      {receipt && !children ? (
        <Details receipt={receipt} />
      ) : (
        // As high as the data, so that the data moves nothing.
        <div className="tear min-h-90 sm:min-h-69">
          {children || (
            <div className="p-4 sm:px-6">
              <p role="status" className="flex items-center gap-2 no-script:hidden">
                <Spinner className="text-primary" />
                Loading your receipt...
              </p>
              <NeedsScript />
            </div>
          )}
        </div>
      )}
    </Card>
  );
}

function Details({ receipt }: { receipt: ReceiptData }) {
  const canPrint = useCanSaveFiles();
  return (
    <div className="tear">
      <dl className="mx-4 flex flex-col gap-3 border-b pt-4 pb-5 sm:mx-6 sm:gap-1 sm:pt-2">
        <Row name={receipt.type === "reel" ? "Reel" : "Post"}>
          <span className="flex flex-row-reverse flex-wrap items-baseline gap-x-3 sm:contents">
            <span translate="no" className="code text-base!">
              {receipt.postId}
            </span>
            <a href={canonicalLink(receipt)} rel="noreferrer" className="link py-0.5 text-sm">
              {`Open your ${receipt.type}`}
            </a>
          </span>
        </Row>
        <Row name="Accepted">
          <LocalTime at={receipt.acceptedAt} />
        </Row>
        <Row name="Next free likes from">
          <strong className="font-semibold">
            <LocalTime at={receipt.nextAvailable} />
          </strong>
          <AddToCalendar at={receipt.nextAvailable} />
        </Row>
      </dl>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-5 sm:px-6 print:hidden">
        <p className="flex-1 basis-40 text-sm text-muted-foreground">
          Keep the order reference for questions.{" "}
          <a href={issueFormPath} className="link py-1.5">
            Report a problem
          </a>
        </p>
        {canPrint && (
          <Button variant="outline" onClick={() => window.print()}>
            Print
          </Button>
        )}
      </div>
    </div>
  );
}

function CopyReference({ reference }: { reference: string }) {
  const [result, setResult] = useState("");

  function copy() {
    writeClipboard(reference).then(
      () => setResult("Reference copied"),
      () => setResult("Please copy it yourself"),
    );
  }

  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        onClick={copy}
        className="relative after:absolute after:inset-x-0 after:-inset-y-1"
      >
        {result || "Copy reference"}
      </Button>
      <span role="status" className="sr-only">
        {result}
      </span>
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-4 sm:min-h-11 sm:items-center">
      <dt className="text-sm text-muted-foreground sm:w-40">{name}</dt>
      <dd className="tabular-nums flex-1 basis-40 flex-wrap items-center justify-between gap-x-3 max-sm:contents sm:flex">
        {children}
      </dd>
    </div>
  );
}
