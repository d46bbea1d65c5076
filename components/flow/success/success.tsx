"use client";

import { useEffect } from "react";
import { endsFlow } from "@/components/flow/hooks/use-request-step";
import { Actions } from "@/components/flow/parts/actions";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { ProcessingLink } from "@/components/flow/parts/processing-link";
import type { ReceiptTexts } from "@/components/flow/success/receipt";
import { orderScreen } from "@/components/flow/success/order-screen";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { failureReason } from "@/lib/client/api/api-client";
import { useReceipt } from "@/lib/client/api/queries";
import { track } from "@/lib/client/browser/analytics";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { pages } from "@/lib/http/pages";

/** Renders step 4, which shows the receipt of an accepted request for likes. */
export function Success({ texts }: { texts: ReceiptTexts }) {
  const { data, error, isValidating, mutate } = useReceipt();
  const order = data?.order ?? null;
  const failed = !data && error !== undefined && !isValidating;

  // Screen readers then start at the heading.
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector("h1")?.focus();
  }, []);
  useEffect(() => track("likes_success_view"), []);
  usePageRestored(() => void mutate());

  const actions = (
    <Actions row>
      {/* "Boost Another Post" is the second link, because the visitor must first wait until the cooldown ends. */}
      {(["Go to Home", "Boost Another Post"] as const).map((name) => (
        <ProcessingLink
          key={name}
          href={pages.home.path}
          variant="outline"
          onFollow={() => track(name === "Go to Home" ? "go_to_home" : "boost_another_post")}
          size="default"
          className="grow basis-0 px-1! sm:px-3!"
        >
          {name}
        </ProcessingLink>
      ))}
    </Actions>
  );
  return (
    <FlowScreen
      {...orderScreen(
        order,
        texts,
        actions,
        failed && <ReceiptError error={error} onReload={() => void mutate()} />,
      )}
      view={failed ? "failed" : "receipt"}
      // The visitor has ended the flow, for example in another tab. Without an order: another flow has started.
      flowEnded={endsFlow(error) || data?.order === null}
    />
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
