"use client";

import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { Actions, TryAgain, TryAnotherPost } from "@/components/flow/parts/actions";
import { BackToHome } from "@/components/flow/parts/back-to-home";
import { DailyLimitAlert } from "@/components/flow/parts/daily-limit-alert";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { PendingPanel } from "@/components/flow/parts/pending-panel";
import { PostCard } from "@/components/flow/parts/post-card";
import { PrivateAdvice } from "@/components/flow/screens/preview-errors";
import { RateLimited, rateLimitedTitle } from "@/components/flow/screens/rate-limited";
import { SimulatedProgress } from "@/components/flow/parts/simulated-progress";
import { StartOverNotice } from "@/components/flow/screens/start-over-notice";
import { StatusError } from "@/components/flow/parts/status-error";
import { isFailedView } from "@/components/flow/screens/step-views";
import { endsFlow, lostResponseMessage, sendFailureMessage } from "@/components/flow/hooks/use-like-request";
import { useOrder, type Order } from "@/components/flow/hooks/use-order";
import { useDocumentTitle } from "@/components/flow/hooks/use-document-title";
import { checkFlow, useFlowCheck } from "@/components/flow/hooks/use-flow-check";
import { useFocusOnViewChange } from "@/components/flow/hooks/use-focus-on-view-change";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { AdSlot } from "@/components/site/ad-slot";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { PostDetails } from "@/lib/http/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { createConnectionError, failureReason } from "@/lib/client/api/fetch-json";
import { goTo } from "@/lib/client/browser/navigate";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { processing } from "@/lib/content/claims";
import { startOverHead } from "@/lib/content/start-over";
import { likeLink } from "@/lib/flow/post-links";
import { linkFieldPath, pages } from "@/lib/http/pages";

const title = "Get 50 Free Instagram Likes";

export interface GetLikesProps {
  /** Id of the ad network's header unit. Undefined on a site without this advertisement. */
  adUnit?: string;
}

/** Renders step 3: the post, and the button that requests likes for it. */
export function GetLikes({ adUnit }: GetLikesProps) {
  const order = useOrder(({ postId }) => likeLink(postId), { statusFirst: false });
  const { details, ineligible, post, status, view } = order;
  // After a failed request for likes, the pressed button is still on the page and keeps the focus.
  const headingRef = useFocusOnViewChange(view === "not-sent" ? "ready" : view);
  const heading = view === "waiting" ? rateLimitedTitle : title;
  const flowEnded = endsFlow(details.error);
  useDocumentTitle(flowEnded ? startOverHead.title : heading);
  useFlowCheck();

  if (flowEnded) return <StartOverNotice />;
  return (
    <FlowScreen
      step={3}
      failed={isFailedView(view)}
      heading={heading}
      headingRef={headingRef}
      aside={adUnit && <AdSlot unit={adUnit} />}
    >
      {ineligible ? (
        <LoadError cause={ineligible.code === "post_private" ? <PrivateAdvice /> : ineligible.message}>
          <TryAnotherPost />
        </LoadError>
      ) : view === "not-loaded" ? (
        <LoadError cause={failureReason(details.error)}>
          <TryAgain onRetry={() => void details.mutate()} />
        </LoadError>
      ) : !post ? (
        <LoadingView title="Loading Post Details">{processing.text}</LoadingView>
      ) : view === "waiting" && status.data ? (
        <>
          <RateLimited status={status.data} onRefresh={() => status.mutate()} />
          <BackToHome />
        </>
      ) : view === "status-unknown" ? (
        <StatusError error={status.error} onRetry={() => void status.mutate()}>
          <BackToHome />
        </StatusError>
      ) : view === "loading" ? (
        <LoadingView title="Checking your free likes..." />
      ) : (
        <Ready post={post} order={order} />
      )}
    </FlowScreen>
  );
}

function Ready({ post, order }: { post: PostDetails; order: Order }) {
  /** True while the simulated progress runs. The page sends the request for likes after the progress. */
  const [progressRunning, setProgressRunning] = useState(false);
  const { accepted, dailyLimit, failure, pending, remedy, sending } = order;
  const lostResponse = lostResponseMessage(failure?.error);
  const busy = progressRunning || accepted !== null || (sending && !pending);
  const sendButton = useRef<HTMLButtonElement>(null);

  // Without progress, the page sends no request. A restored page also stops the progress.
  if (progressRunning && dailyLimit) setProgressRunning(false);
  usePageRestored(() => setProgressRunning(false));
  const stopWithoutConnection = useEffectEvent(() => {
    if (!progressRunning) return;
    setProgressRunning(false);
    order.fail(createConnectionError());
  });
  useEffect(() => {
    window.addEventListener("offline", stopWithoutConnection);
    return () => window.removeEventListener("offline", stopWithoutConnection);
  }, []);

  async function postRequest() {
    const { kind } = await order.send();
    if (kind === "accepted") goTo(`${pages.success.path}/`);
  }

  function start() {
    if (busy || sending || dailyLimit) return;
    track("send_likes");
    if (!navigator.onLine) return order.fail(createConnectionError());
    order.reset();
    setProgressRunning(true);
    void checkFlow();
  }

  function stop() {
    setProgressRunning(false);
    sendButton.current?.focus();
  }

  function finishProgress() {
    if (!progressRunning) return;
    setProgressRunning(false);
    void postRequest();
  }

  function panelTitle(): string {
    if (busy || pending) return "Boosting This Post";
    if (dailyLimit) return "No Likes Left Today";
    return failure ? "That Did Not Work" : "Ready to Boost This Post";
  }

  return (
    <>
      <PostCard details={post} preview showLikesComing={busy || !(dailyLimit || failure || pending)} />
      <Card>
        <CardHeader>
          <CardTitle>{panelTitle()}</CardTitle>
        </CardHeader>
        <CardContent className="flex flex-col gap-5">
          {busy && (
            <SimulatedProgress finished={accepted !== null} sent={!progressRunning} onDone={finishProgress} />
          )}
          {failure && !busy && remedy !== "tomorrow" && (
            <Alert variant="destructive" role="alert">
              <p>{`Error: ${sendFailureMessage(failure.error)}`}</p>
              {lostResponse && <p>{lostResponse}</p>}
              {remedy === "another post" && (
                <a href={linkFieldPath} className="link mt-1 inline-block">
                  Try another post
                </a>
              )}
            </Alert>
          )}
          {dailyLimit && !busy && !pending && (
            <DailyLimitAlert
              message={remedy === "tomorrow" ? `Error: ${dailyLimit.message}` : dailyLimit.message}
              resetsAt={dailyLimit.resetsAt}
            />
          )}
          {pending ? (
            <PendingPanel outcome={pending} checking={sending} onCheck={() => void postRequest()}>
              <GoBack />
            </PendingPanel>
          ) : (
            <Actions>
              {remedy === "start over" ? (
                <ButtonLink href={pages.home.path} size="lg">
                  Start from Step 1
                </ButtonLink>
              ) : (
                <Button
                  ref={sendButton}
                  size="lg"
                  loading={busy}
                  disabled={dailyLimit !== null}
                  onClick={start}
                >
                  {busy ? "Sending Likes..." : "Send 50 Free Likes"}
                </Button>
              )}
              {progressRunning && (
                <Button variant="outline" size="lg" onClick={stop}>
                  Stop
                </Button>
              )}
              {!busy && <GoBack />}
            </Actions>
          )}
        </CardContent>
      </Card>
    </>
  );
}

function LoadError({ cause, children }: { cause: ReactNode; children: ReactNode }) {
  return (
    <>
      <Alert variant="destructive" role="alert" title="Error Loading Post">
        <p>We couldn&apos;t retrieve your post details. Please try again.</p>
        <div className="mt-1.5">{cause}</div>
      </Alert>
      <Actions>
        {children}
        <GoBack />
      </Actions>
    </>
  );
}

function GoBack() {
  return (
    <ButtonLink href={`${pages.verification.path}/`} variant="outline" size="lg" className="sm:self-start">
      Go Back
    </ButtonLink>
  );
}
