"use client";

import { useEffect, type ReactNode } from "react";
import { Actions } from "@/components/flow/parts/actions";
import { BackToHome } from "@/components/flow/parts/back-to-home";
import { DailyLimitPanel } from "@/components/flow/parts/daily-limit-panel";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { PendingPanel } from "@/components/flow/parts/pending-panel";
import { notCheckedText, PostCard, postKind } from "@/components/flow/parts/post-card";
import { PostNotFound, PostNotLoaded, PreviewError } from "@/components/flow/screens/flow-errors";
import { RateLimited, waitTitle } from "@/components/flow/screens/rate-limited";
import { DemoNotice, Receipt, type ReceiptTexts } from "@/components/flow/success/receipt";
import { StatusError } from "@/components/flow/parts/status-error";
import { isFailedView, type StepView } from "@/components/flow/hooks/step-views";
import {
  SuccessNotes,
  successHeading,
  successLead,
  successTitle,
} from "@/components/flow/success/success-notes";
import { endsFlow, sendFailureMessage } from "@/components/flow/hooks/use-like-request";
import { useDocumentTitle } from "@/components/flow/hooks/use-document-title";
import { useFlowCheck } from "@/components/flow/hooks/use-flow-check";
import { useFocusOnViewChange } from "@/components/flow/hooks/use-focus-on-view-change";
import { useRequestStep } from "@/components/flow/hooks/use-request-step";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { Button, ButtonLink } from "@/components/ui/button";
import { openDots, refusedDots, unconfirmedDots, type Dots } from "@/components/ui/dot-grid";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";
import type { PostDetails } from "@/lib/schemas/api-responses";
import { getVisitorMessage } from "@/lib/client/api/api-client";
import { reloadPage } from "@/lib/client/browser/navigate";
import { useReceipt } from "@/lib/client/api/queries";
import { toast } from "@/lib/client/toast-store";
import { useBrowserValue } from "@/lib/client/browser/use-browser-value";
import { processing } from "@/lib/content/figures";
import { canonicalLink } from "@/lib/flow/post-links";
import { normalizePath, pages } from "@/lib/http/pages";

const unknownErrorMessage = "We couldn't process your request. Please check the details below.";

/** Renders the visitor's post and a button that requests likes. Later shows the outcome of that request. */
export function Preview({ texts }: { texts: ReceiptTexts }) {
  return (
    <>
      <Views texts={texts} />
      <ToastOutlet />
    </>
  );
}

function Views({ texts }: { texts: ReceiptTexts }) {
  const hasId = useBrowserValue(() => findPostId() !== "", true);
  const step = useRequestStep(canonicalLink, { statusFirst: true });
  const receipt = useReceipt();
  const accepted = step.accepted ?? receipt.data?.order ?? null;
  const view = findView();
  const headingRef = useFocusOnViewChange(view);
  const heading =
    view === "waiting"
      ? waitTitle(step.status.data, "Limit Reached")
      : (headings[view] ?? `Get Likes for Your ${step.post ? postKind(step.post) : "Post"}`);
  const flowEnded = endsFlow(receipt.error);
  useDocumentTitle(view === "accepted" ? successTitle : heading);
  useFlowCheck();
  // Without a flow, the server redirects to the home page.
  useEffect(() => {
    if (flowEnded) reloadPage();
  }, [flowEnded]);

  function findView(): PreviewView {
    if (!hasId) return "no-post";
    if (step.post && accepted) return "accepted";
    if (step.sending && !step.pending) return "sending";
    if (step.view === "ready" && !receipt.data && !receipt.error) return "post-loading";
    if (step.view === "not-sent" && step.remedy === "tomorrow") return "ready";
    return step.view === "loading" && !step.post ? "post-loading" : step.view;
  }

  function findDots(): Dots | null {
    if (view === "accepted" || view === "waiting") return null;
    if (step.requested || step.pending || step.failure?.unknown) return unconfirmedDots;
    return step.remedy === "another post" ? refusedDots : openDots;
  }

  async function send() {
    const result = await step.send();
    if (result.kind !== "failed") return;
    const description =
      result.error instanceof Error ? sendFailureMessage(result.error) : unknownErrorMessage;
    toast({ variant: "destructive", title: "Error", description });
  }

  const { post, status, dailyLimit, ineligible } = step;
  const unchecked = post?.checked === false;
  function renderView(): ReactNode {
    switch (view) {
      case "no-post":
        return (
          <PostNotFound
            message={(hasId && ineligible?.message) || "The address of this page names no post."}
            isPrivate={hasId && ineligible?.code === "post_private"}
          />
        );
      case "not-loaded":
        return <PostNotLoaded error={step.details.error} onRetry={() => void step.details.mutate()} />;
      case "post-loading":
        return <LoadingView title="Loading your post...">{processing.text}</LoadingView>;
      case "ready":
        return (
          <>
            {dailyLimit && <DailyLimitPanel {...dailyLimit} calendar />}
            <Actions framed>
              <Button size="lg" disabled={dailyLimit !== null} onClick={() => void send()}>
                Get 50 Free Likes
              </Button>
              <ButtonLink href={`${pages.verification.path}/`} variant="outline" size="lg">
                Go Back
              </ButtonLink>
            </Actions>
          </>
        );
      case "sending":
        return <LoadingView title="Requesting your likes...">{processing.text}</LoadingView>;
      case "pending":
        return (
          step.pending && (
            <PendingPanel outcome={step.pending} checking={step.sending} onCheck={() => void send()}>
              <BackToHome />
            </PendingPanel>
          )
        );
      case "loading":
        return <LoadingView title="Checking your free likes..." />;
      case "status-unknown":
        return (
          <StatusError error={status.error} onRetry={() => void status.mutate()}>
            <BackToHome />
          </StatusError>
        );
      case "waiting":
        return (
          <>
            {status.data && (
              <RateLimited
                preview
                status={status.data}
                onRefresh={() => status.mutate()}
                onComplete={step.reset}
              />
            )}
            {status.data?.reason !== "paced" && (
              <p className="text-muted-foreground">
                {unchecked
                  ? `Your ${post.type} has not been checked. You need to wait before requesting again.`
                  : "Your post has been verified and is eligible for likes, but you need to wait before requesting again."}
              </p>
            )}
            <BackToHome />
          </>
        );
      case "accepted":
        return (
          <>
            <SuccessNotes receipt={accepted} title={texts.nextTitle} />
            <BackToHome />
          </>
        );
      case "not-sent":
        return (
          <PreviewError
            message={getVisitorMessage(step.failure?.error, "") || null}
            remedy={step.remedy ?? "again"}
            onRetry={step.reset}
          />
        );
    }
  }

  return (
    <FlowScreen
      step={view === "accepted" ? 4 : 3}
      failed={isFailedView(view)}
      unchecked={unchecked}
      heading={heading}
      lead={view === "accepted" ? successLead : view === "ready" && unchecked && notCheckedText(post)}
      headingRef={headingRef}
      notice={view === "accepted" && texts.notice && <DemoNotice {...texts.notice} />}
      dots={findDots()}
      subject={
        view === "accepted" ? (
          <Receipt receipt={accepted} dots={texts.dots} />
        ) : (
          view === "ready" && post && <PreviewCard post={post} />
        )
      }
    >
      {renderView()}
    </FlowScreen>
  );
}

function PreviewCard({ post }: { post: PostDetails }) {
  return (
    <PostCard details={post} large>
      {post.caption && (
        <p dir="auto" className="line-clamp-3 text-muted-foreground">
          {post.caption}
        </p>
      )}
      {post.note && post.checked && (
        <p className="text-sm text-muted-foreground">
          Note: We can&apos;t display the post preview, but we can still send likes to this content.
        </p>
      )}
    </PostCard>
  );
}

/** A view of step 3, or one that only the preview page has. "loading" means that the status is loading. */
type PreviewView = StepView | "post-loading" | "sending" | "accepted";

/** Headings and document titles. All other views except "waiting" have the heading "Get Likes for Your Post" (or "Reel"). */
const headings: Partial<Record<PreviewView, string>> = {
  "no-post": "Preview Not Available",
  "not-loaded": "Preview Not Available",
  "post-loading": "Loading Post Details",
  accepted: successHeading,
  "not-sent": "Oops! Something went wrong",
};

function findPostId(): string {
  return normalizePath(window.location.pathname).slice(`${pages.preview.path}/`.length);
}
