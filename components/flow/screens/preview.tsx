"use client";

import { useEffect, useState } from "react";
import { Actions } from "@/components/flow/parts/actions";
import { BackToHome } from "@/components/flow/parts/back-to-home";
import { DailyLimitAlert } from "@/components/flow/parts/daily-limit-alert";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { PendingPanel } from "@/components/flow/parts/pending-panel";
import { postKind } from "@/components/flow/parts/post-card";
import { PostImage } from "@/components/flow/parts/post-image";
import { PostNotLoaded, PostNotFound, PreviewError } from "@/components/flow/screens/preview-errors";
import { RateLimited } from "@/components/flow/screens/rate-limited";
import { Receipt } from "@/components/flow/success/receipt";
import { StatusError } from "@/components/flow/parts/status-error";
import { isFailedView, viewOfStatus } from "@/components/flow/screens/step-views";
import { successHeading, successLead, successTitle } from "@/components/flow/success/success-notes";
import {
  endsFlow,
  remedyFor,
  sendFailureMessage,
  useLikeRequest,
  type LikeOutcome,
} from "@/components/flow/hooks/use-like-request";
import { useDocumentTitle } from "@/components/flow/hooks/use-document-title";
import { useFocusOnViewChange } from "@/components/flow/hooks/use-focus-on-view-change";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";
import type { PostDetails, Receipt as ReceiptData } from "@/lib/http/api-responses";
import type { DemoMode } from "@/lib/config/build-settings";
import { getVisitorMessage } from "@/lib/client/api/fetch-json";
import { onFlowChange } from "@/lib/client/browser/broadcast";
import { useStoredPost } from "@/lib/client/browser/flow-storage";
import { reloadPage } from "@/lib/client/browser/navigate";
import {
  requestStatus,
  useDailyUsage,
  usePostDetails,
  useReceipt,
  useStatus,
} from "@/lib/client/api/queries";
import { toast } from "@/lib/client/toast-store";
import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { processing } from "@/lib/content/claims";
import { dailyLimitMessage } from "@/lib/content/site";
import { canonicalLink } from "@/lib/flow/post-links";
import { timing } from "@/lib/config/limits";
import { normalizePath, pages } from "@/lib/http/pages";

const unknownErrorMessage = "We couldn't process your request. Please check the details below.";

export interface PreviewProps {
  /** The site's demo mode, in which no likes reach Instagram. Null on a site that sends real likes. */
  demo: DemoMode | null;
}

/** Renders the visitor's post and a button that requests likes. Later shows the outcome of that request. */
export function Preview({ demo }: PreviewProps) {
  return (
    <>
      <Loader demo={demo} />
      <ToastOutlet />
    </>
  );
}

function Loader({ demo }: PreviewProps) {
  const hasId = useBrowserValue(() => findPostId() !== "", true);
  const details = usePostDetails(useStoredPost());
  const receipt = useReceipt();
  const { mutate } = receipt;
  const flowEnded = endsFlow(receipt.error);

  usePageRestored(() => void mutate());
  useEffect(() => onFlowChange(() => void mutate()), [mutate]);
  // Without a flow, the server redirects to the home page.
  useEffect(() => {
    if (flowEnded) reloadPage();
  }, [flowEnded]);

  if (!hasId) return <PostNotFound message="The address of this page names no post." />;
  if (details.data?.success && (receipt.data || receipt.error)) {
    return <Views post={details.data} receipt={receipt.data?.order ?? null} demo={demo} />;
  }
  if (details.data?.success === false) {
    const { message, code } = details.data;
    return <PostNotFound message={message} isPrivate={code === "post_private"} />;
  }
  if (details.error && !details.isValidating) {
    return <PostNotLoaded error={details.error} onRetry={() => void details.mutate()} />;
  }
  return (
    <FlowScreen step={3} heading="Loading Post Details">
      <LoadingView title="Loading your post...">{processing.text}</LoadingView>
    </FlowScreen>
  );
}

function findPostId(): string {
  return normalizePath(window.location.pathname).slice(`${pages.preview.path}/`.length);
}

/** View to show until a request for likes has an outcome. */
type Phase = "preview" | "processing" | "limited" | "status-error";

/** Document titles of some views. All other views have the title "Get Likes for Your Post" (or "Reel"). */
const titles: Partial<Record<LikeOutcome["kind"] | Phase, string>> = {
  limited: "Limit Reached",
  accepted: successTitle,
  failed: "Oops! Something went wrong",
};

interface ViewsProps extends PreviewProps {
  post: PostDetails;
  /** Receipt of the accepted order, or null before an order is accepted. */
  receipt: ReceiptData | null;
}

function Views({ post, receipt, demo }: ViewsProps) {
  const [phase, setPhase] = useState<Phase>("preview");
  const [statusError, setStatusError] = useState<unknown>(null);
  const request = useLikeRequest();
  const { outcome } = request;
  const order = outcome?.kind === "accepted" ? outcome.reply.order : receipt;
  const refusedToday = outcome?.kind === "failed" && remedyFor(outcome.error) === "tomorrow";
  const view = ((): Exclude<LikeOutcome, { kind: "accepted" }> | { kind: Phase | "accepted" } => {
    if (order) return { kind: "accepted" };
    return outcome && !refusedToday ? outcome : { kind: refusedToday ? "preview" : phase };
  })();
  const status = useStatus(view.kind === "limited" || outcome?.kind === "accepted");
  const usage = useDailyUsage(timing.dailyUsagePollMs);
  const { reached, resetsAt } = usage.data?.dailyLimit ?? {};
  const limitReached = reached || refusedToday;
  const heading = useFocusOnViewChange(view.kind);
  const kind = postKind(post);
  /** View for a visitor who has to wait. */
  const limitView = viewOfStatus(status);
  useDocumentTitle(titles[view.kind] ?? `Get Likes for Your ${kind}`);

  usePageRestored(() => {
    if (phase === "processing" && !request.sending) setPhase("preview");
  });

  function reset() {
    request.reset();
    setPhase("preview");
  }

  async function getLikes() {
    if (limitReached) return setPhase("preview");
    setPhase("processing");
    try {
      const { canRequest } = await requestStatus();
      if (!canRequest) return setPhase("limited");
    } catch (error) {
      setStatusError(error);
      return setPhase("status-error");
    }
    await postRequest();
  }

  async function postRequest() {
    const result = await request.send(canonicalLink(post));
    if (result.kind !== "failed") return;
    void usage.mutate();
    const description =
      result.error instanceof Error ? sendFailureMessage(result.error) : unknownErrorMessage;
    toast({ variant: "destructive", title: "Error", description });
  }

  switch (view.kind) {
    case "preview":
      return (
        <FlowScreen step={3} heading={`Get Likes for Your ${kind}`} headingRef={heading}>
          <LargePreview post={post} />
          {limitReached && (
            <DailyLimitAlert
              message={refusedToday ? sendFailureMessage(outcome.error) : dailyLimitMessage}
              resetsAt={resetsAt}
            />
          )}
          <Actions>
            <Button size="lg" disabled={limitReached} onClick={() => void getLikes()}>
              Get 50 Free Likes
            </Button>
            <ButtonLink href={`${pages.verification.path}/`} variant="outline" size="lg">
              Go Back
            </ButtonLink>
          </Actions>
        </FlowScreen>
      );
    case "processing":
      return (
        <FlowScreen step={3} heading={`Get Likes for Your ${kind}`} headingRef={heading}>
          <LoadingView title="Requesting your likes...">{processing.text}</LoadingView>
        </FlowScreen>
      );
    case "pending":
      return (
        <FlowScreen step={3} heading={`Get Likes for Your ${kind}`} headingRef={heading}>
          <PendingPanel outcome={view} checking={request.sending} onCheck={() => void postRequest()}>
            <BackToHome />
          </PendingPanel>
        </FlowScreen>
      );
    case "status-error":
      return (
        <FlowScreen step={3} failed heading={`Get Likes for Your ${kind}`} headingRef={heading}>
          <StatusError error={statusError} onRetry={() => void getLikes()}>
            <BackToHome />
          </StatusError>
        </FlowScreen>
      );
    case "limited":
      return (
        <FlowScreen step={3} failed={isFailedView(limitView)} heading="Limit Reached" headingRef={heading}>
          {status.data ? (
            <RateLimited preview status={status.data} onRefresh={() => status.mutate()} onComplete={reset} />
          ) : limitView === "status-unknown" ? (
            <StatusError error={status.error} onRetry={() => void status.mutate()} />
          ) : (
            <LoadingView title="Checking your free likes..." />
          )}
          <p className="text-muted-foreground">
            Your post has been verified and is eligible for likes, but you need to wait before requesting
            again.
          </p>
          <BackToHome />
        </FlowScreen>
      );
    case "accepted":
      return (
        <FlowScreen step={4} heading={successHeading} lead={successLead} headingRef={heading}>
          {order && <Receipt receipt={order} demo={demo} />}
          <BackToHome />
        </FlowScreen>
      );
    case "failed":
      return (
        <PreviewError
          message={getVisitorMessage(view.error, "") || null}
          headingRef={heading}
          remedy={remedyFor(view.error)}
          onRetry={reset}
        />
      );
  }
}

function LargePreview({ post }: { post: PostDetails }) {
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0">
          <p translate={post.username ? "no" : undefined} className="wrap-anywhere font-semibold">
            {post.username ?? "Instagram User"}
          </p>
          <p translate="no" className="code text-muted-foreground">
            {post.postId}
          </p>
        </div>
        <Badge variant="neutral">{postKind(post)}</Badge>
      </CardContent>
      <CardContent>
        <PostImage details={post} className={post.imageUrl === null ? "aspect-[2/1]" : "mx-auto max-w-sm"}>
          {post.note && <p>Limited preview due to API permissions</p>}
        </PostImage>
      </CardContent>
      {post.caption && (
        <CardContent>
          <p className="line-clamp-3 text-muted-foreground">{post.caption}</p>
        </CardContent>
      )}
      {post.note && (
        <CardContent>
          <p className="text-sm text-muted-foreground">
            Note: We can&apos;t display the post preview, but we can still send likes to this content.
          </p>
        </CardContent>
      )}
    </Card>
  );
}
