"use client";

import { useEffect } from "react";
import { endsFlow } from "@/components/flow/hooks/use-like-request";
import { useDocumentTitle } from "@/components/flow/hooks/use-document-title";
import { useFocusOnViewChange } from "@/components/flow/hooks/use-focus-on-view-change";
import { Actions } from "@/components/flow/parts/actions";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { LocalTime } from "@/components/flow/parts/local-time";
import { ProcessingLink } from "@/components/flow/parts/processing-button";
import { StartOverNotice } from "@/components/flow/parts/start-over-notice";
import { DemoNotice, Receipt, type ReceiptTexts } from "@/components/flow/success/receipt";
import {
  SuccessNotes,
  successHeading,
  successLead,
  successTitle,
} from "@/components/flow/success/success-notes";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { failureReason } from "@/lib/client/api/api-client";
import { useReceipt } from "@/lib/client/api/queries";
import { track } from "@/lib/client/browser/analytics";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { startOverHead } from "@/lib/content/start-over";
import { pages } from "@/lib/http/pages";

/** Renders step 4, which shows the receipt of an accepted request for likes. */
export function Success({ texts }: { texts: ReceiptTexts }) {
  const { data, error, isValidating, mutate } = useReceipt();
  // The visitor has ended the flow, for example in another tab. Without an order: another flow has started.
  const flowEnded = endsFlow(error) || data?.order === null;
  const failed = !data && error !== undefined && !isValidating;
  const heading = useFocusOnViewChange(failed ? "failed" : "receipt");

  // Screen readers then start at the heading.
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector("h1")?.focus();
  }, []);
  useDocumentTitle(flowEnded ? startOverHead.title : successTitle);
  useEffect(() => track("likes_success_view"), []);
  usePageRestored(() => void mutate());

  if (flowEnded) return <StartOverNotice />;
  return (
    <FlowScreen
      step={4}
      notice={texts.notice && <DemoNotice {...texts.notice} />}
      heading={successHeading}
      headingRef={heading}
      lead={successLead}
      subject={
        <Receipt receipt={data?.order ?? null} dots={texts.dots}>
          {failed && <ReceiptError error={error} onReload={() => void mutate()} />}
        </Receipt>
      }
    >
      <SuccessNotes receipt={data?.order ?? null} title={texts.nextTitle} />
      <Actions>
        <ProcessingLink href={pages.home.path} size="lg" onFollow={() => track("go_to_home")}>
          Go to Home
        </ProcessingLink>
        {/* This is the second link, because the visitor must first wait until the cooldown ends. */}
        <ProcessingLink
          href={pages.home.path}
          size="lg"
          variant="outline"
          onFollow={() => track("boost_another_post")}
          aria-describedby={data?.order ? "next-boost" : undefined}
        >
          Boost Another Post
        </ProcessingLink>
      </Actions>
      {data?.order && (
        <p id="next-boost" className="text-sm text-muted-foreground">
          You can boost another post from <LocalTime at={data.order.nextAvailable} format="day" />.
        </p>
      )}
    </FlowScreen>
  );
}

function ReceiptError({ error, onReload }: { error: unknown; onReload: () => void }) {
  return (
    <Alert
      variant="destructive"
      role="alert"
      title="Your receipt could not be loaded"
      className="m-4 sm:mx-6"
    >
      <p>Your request was accepted, but its receipt did not arrive.</p>
      <p className="mt-1.5">{failureReason(error)}</p>
      <Button variant="outline" onClick={onReload} className="mt-3">
        Reload
      </Button>
    </Alert>
  );
}
