"use client";

import { useEffect, type ReactNode } from "react";
import { ActionLink, Actions } from "@/components/flow/parts/actions";
import { DailyLimitPanel } from "@/components/flow/parts/daily-limit-panel";
import {
  backToHome,
  explain,
  Failure,
  privateAdvice,
  refusedText,
  unknownOutcome,
} from "@/components/flow/parts/failure";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { PendingPanel } from "@/components/flow/parts/pending-panel";
import { notCheckedText, PostCard, postKind } from "@/components/flow/parts/post-card";
import { Wait, waitTitle } from "@/components/flow/parts/wait";
import { useFlowCheck } from "@/components/flow/hooks/use-flow-check";
import { endsFlow, useRequestStep, type StepView } from "@/components/flow/hooks/use-request-step";
import { orderScreen } from "@/components/flow/success/order-screen";
import type { ReceiptTexts } from "@/components/flow/success/receipt";
import { Button } from "@/components/ui/button";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";
import { failureReason, getVisitorMessage } from "@/lib/client/api/api-client";
import { useReceipt } from "@/lib/client/api/queries";
import { reloadPage } from "@/lib/client/browser/navigate";
import { useBrowserValue } from "@/lib/client/browser/use-browser-value";
import { toast } from "@/lib/client/toast-store";
import { processing } from "@/lib/content/figures";
import { canonicalLink } from "@/lib/flow/post-links";
import { normalizePath, pages } from "@/lib/http/pages";

const unknownErrorMessage = "We couldn't process your request. Please check the details below.";

const loadFailure = "Failed to load post details";
const loadAdvice =
  "Please make sure that the content is public and that the URL is from a post or reel, not from a profile.";

/** A view of step 3, or one that only the preview page has. "loading" means that the status is loading. */
type PreviewView = StepView | "post-loading" | "sending" | "accepted";

/** All other views except "waiting" and "accepted" have the heading "Get Likes for Your Post" (or "Reel"). */
const headings: Partial<Record<PreviewView, string>> = {
  "no-post": "Preview Not Available",
  "not-loaded": "Preview Not Available",
  "post-loading": "Loading Post Details",
  "not-sent": "Oops! Something went wrong",
};

/** Renders the visitor's post and a button that requests likes. Later shows the outcome of that request. */
export function Preview({ texts }: { texts: ReceiptTexts }) {
  const hasId = useBrowserValue(() => findPostId() !== "", true);
  const step = useRequestStep(canonicalLink, { statusFirst: true });
  const receipt = useReceipt();
  const { details, dailyLimit, failure, ineligible, pending, post, sending, status } = step;
  const accepted = step.accepted ?? receipt.data?.order ?? null;
  const view = findView();
  const unchecked = post?.checked === false;
  const flowEnded = endsFlow(receipt.error);
  useFlowCheck();
  // Without a flow, the server redirects to the home page.
  useEffect(() => {
    if (flowEnded) reloadPage();
  }, [flowEnded]);

  function findView(): PreviewView {
    if (!hasId) return "no-post";
    if (post && accepted) return "accepted";
    if (sending && !pending) return "sending";
    if (step.view === "ready" && !receipt.data && !receipt.error) return "post-loading";
    if (step.view === "not-sent" && failure?.remedy === "tomorrow") return "ready";
    return step.view === "loading" && !post ? "post-loading" : step.view;
  }

  async function send() {
    const result = await step.send();
    if (result.kind !== "failed") return;
    const description = result.error instanceof Error ? result.message : unknownErrorMessage;
    toast({ variant: "destructive", title: "Error", description });
  }

  function renderView(): ReactNode {
    switch (view) {
      case "no-post":
        return (
          <Failure title={loadFailure} cause={loadAdvice}>
            {hasId && ineligible ? explain(ineligible) : <p>The address of this page names no post.</p>}
          </Failure>
        );
      case "not-loaded":
        return (
          <Failure title={loadFailure} action={() => void details.mutate()}>
            <p>{failureReason(details.error)}</p>
          </Failure>
        );
      case "post-loading":
        return <LoadingView title="Loading your post...">{processing.text}</LoadingView>;
      case "ready":
        return (
          post && (
            <PostCard details={post} large>
              {dailyLimit && <DailyLimitPanel {...dailyLimit} calendar />}
              <Actions>
                <Button size="lg" disabled={dailyLimit !== null} onClick={() => void send()}>
                  Get 50 Free Likes
                </Button>
                <ActionLink href={`${pages.verification.path}/`}>Go Back</ActionLink>
              </Actions>
            </PostCard>
          )
        );
      case "sending":
        return <LoadingView title="Requesting your likes...">{processing.text}</LoadingView>;
      case "pending":
        return (
          pending && (
            <PendingPanel outcome={pending} checking={sending} onCheck={() => void send()}>
              {backToHome}
            </PendingPanel>
          )
        );
      case "loading":
      case "status-unknown":
      case "waiting":
        return (
          <Wait preview status={status}>
            {status.data?.reason !== "paced" && (
              <p className="text-muted-foreground">
                {unchecked
                  ? `Your ${post.type} has not been checked. You need to wait before requesting again.`
                  : "Your post has been verified and is eligible for likes, but you need to wait before requesting again."}
              </p>
            )}
          </Wait>
        );
      case "not-sent":
        return renderFailure();
    }
  }

  function renderFailure(): ReactNode {
    const message = getVisitorMessage(failure?.error, "");
    const isPrivate = message.toLowerCase().includes("private");
    const isRefused = failure?.remedy === "another post";
    // The owner can make a private account public, so another try with the same post can succeed.
    const canRetry = failure?.remedy === "again" || isPrivate;
    return (
      <Failure
        // The heading gets the focus, and a toast announces the message.
        announced={false}
        cause={isRefused && refusedText}
        action={canRetry ? step.reset : isRefused ? undefined : null}
      >
        {isPrivate ? privateAdvice : message ? <p>{message}</p> : checklist}
        {failure?.unknown && unknownOutcome}
      </Failure>
    );
  }

  const heading = headings[view] ?? `Get Likes for Your ${post ? postKind(post) : "Post"}`;
  const requestScreen = {
    current: 3,
    heading: view === "waiting" ? waitTitle(status.data, "Limit Reached") : heading,
    lead: view === "ready" && unchecked && notCheckedText(post),
    children: renderView(),
  } as const;
  return (
    <>
      <FlowScreen
        view={view}
        unchecked={unchecked}
        {...(view === "accepted" ? orderScreen(accepted, texts, backToHome) : requestScreen)}
      />
      <ToastOutlet />
    </>
  );
}

/** Possible causes of a failure without a message. */
const checklist = (
  <>
    <p>Please check that:</p>
    <ul className="list-disc pl-5">
      <li>The content is public</li>
      <li>The URL is correct</li>
      <li>The post hasn&apos;t been deleted</li>
    </ul>
  </>
);

function findPostId(): string {
  return normalizePath(window.location.pathname).slice(`${pages.preview.path}/`.length);
}
