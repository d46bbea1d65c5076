"use client";

import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { Actions, TryAgain, TryAnotherPost } from "@/components/flow/parts/actions";
import { BackToHome } from "@/components/flow/parts/back-to-home";
import { DailyLimitPanel } from "@/components/flow/parts/daily-limit-panel";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { PendingPanel } from "@/components/flow/parts/pending-panel";
import { notCheckedText, PostCard, postKind } from "@/components/flow/parts/post-card";
import { PrivateAdvice, refusedText } from "@/components/flow/screens/flow-errors";
import { RateLimited, waitTitle } from "@/components/flow/screens/rate-limited";
import { SimulatedProgress } from "@/components/flow/parts/simulated-progress";
import { StartOverNotice } from "@/components/flow/parts/start-over-notice";
import { StatusError } from "@/components/flow/parts/status-error";
import { isFailedView } from "@/components/flow/hooks/step-views";
import { endsFlow, lostResponseMessage, sendFailureMessage } from "@/components/flow/hooks/use-like-request";
import { useRequestStep, type RequestStep } from "@/components/flow/hooks/use-request-step";
import { useDocumentTitle } from "@/components/flow/hooks/use-document-title";
import { checkFlow, useFlowCheck } from "@/components/flow/hooks/use-flow-check";
import { useFocusOnViewChange } from "@/components/flow/hooks/use-focus-on-view-change";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { AdSlot } from "@/components/site/ad-slot";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { openDots, refusedDots, unconfirmedDots, type Dots } from "@/components/ui/dot-grid";
import { track } from "@/lib/client/browser/analytics";
import { cn } from "@/lib/client/cn";
import { failureReason, isOffline } from "@/lib/client/api/api-client";
import { goTo } from "@/lib/client/browser/navigate";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { processing } from "@/lib/content/figures";
import { startOverHead } from "@/lib/content/start-over";
import { limits, timing } from "@/lib/config/limits";
import { likeLink } from "@/lib/flow/post-links";
import { pages } from "@/lib/http/pages";

const title = "Get 50 Free Instagram Likes";

export interface GetLikesProps {
  /** The dots after the delivery service accepted the order. */
  acceptedDots: Dots;
  /** Id of the ad network's header unit. Undefined on a site without this advertisement. */
  adUnit?: string;
}

/** Renders step 3: the post, and the button that requests likes for it. */
export function GetLikes({ acceptedDots, adUnit }: GetLikesProps) {
  const step = useRequestStep(({ postId }) => likeLink(postId), { statusFirst: false });
  const sending = useSending(step);
  const { accepted, details, dailyLimit, failure, ineligible, pending, post, status, view } = step;
  // After a failed request for likes, the pressed button is still on the page and keeps the focus.
  const headingRef = useFocusOnViewChange(view === "not-sent" ? "ready" : view);
  const heading = view === "waiting" ? waitTitle(status.data) : title;
  const flowEnded = endsFlow(details.error);
  useDocumentTitle(flowEnded ? startOverHead.title : heading);
  useFlowCheck();

  function findDots(): Dots | null {
    if (accepted) return acceptedDots;
    if (pending || step.requested || failure?.unknown) return unconfirmedDots;
    // The wait is not about fifty likes.
    if (view === "waiting") return null;
    return step.remedy === "another post" && !sending.busy ? refusedDots : openDots;
  }

  function renderView(): ReactNode {
    if (ineligible)
      return (
        <LoadError cause={ineligible.code === "post_private" ? <PrivateAdvice /> : ineligible.message}>
          <TryAnotherPost />
        </LoadError>
      );
    if (view === "not-loaded")
      return (
        <LoadError cause={failureReason(details.error)}>
          <TryAgain onRetry={() => void details.mutate()} />
        </LoadError>
      );
    if (!post) return <LoadingView title="Loading Post Details">{processing.text}</LoadingView>;
    if (view === "waiting" && status.data)
      return (
        <>
          <RateLimited status={status.data} onRefresh={() => status.mutate()} />
          <BackToHome />
        </>
      );
    if (view === "status-unknown")
      return (
        <StatusError error={status.error} onRetry={() => void status.mutate()}>
          <BackToHome />
        </StatusError>
      );
    if (view === "loading") return <LoadingView title="Checking your free likes..." />;
    return <Panel step={step} sending={sending} />;
  }

  if (flowEnded) return <StartOverNotice />;
  const { busy } = sending;
  const outcome = Boolean(dailyLimit || failure || pending);
  const hasPanel = view === "ready" || view === "not-sent" || view === "pending";
  const unchecked = post?.checked === false;
  return (
    <FlowScreen
      step={3}
      failed={isFailedView(view) && !failure?.unknown}
      unchecked={unchecked}
      heading={heading}
      lead={hasPanel && unchecked && notCheckedText(post)}
      headingRef={headingRef}
      dots={findDots()}
      subject={
        post &&
        hasPanel && (
          <PostCard
            details={post}
            likes={(busy || !outcome) && `+${limits.likesPerRequest} likes coming`}
            folded={busy || outcome}
          />
        )
      }
      advertisement={
        adUnit && (
          // Invisible while the post loads, because its place then changes.
          <aside className={cn("short:col-start-2", hasPanel ? "lg:col-start-2" : !post && "invisible")}>
            <AdSlot unit={adUnit} />
          </aside>
        )
      }
    >
      {renderView()}
    </FlowScreen>
  );
}

type Sending = ReturnType<typeof useSending>;

/** Runs the simulated progress, and sends the request for likes after it. */
function useSending(step: RequestStep) {
  const [progressRunning, setProgressRunning] = useState(false);
  const { accepted, dailyLimit, pending, sending } = step;
  const busy = progressRunning || accepted !== null || (sending && !pending);

  // Without progress, the page sends no request. A restored page also stops the progress.
  if (progressRunning && dailyLimit) setProgressRunning(false);
  usePageRestored(() => setProgressRunning(false));
  const checkIfRunning = useEffectEvent(() => progressRunning && void check());
  useEffect(() => {
    window.addEventListener("offline", checkIfRunning);
    return () => window.removeEventListener("offline", checkIfRunning);
  }, []);

  /** Checks the flow. Without a connection, stops the progress. */
  async function check() {
    const error = await checkFlow();
    if (!isOffline(error)) return;
    setProgressRunning(false);
    step.fail(error);
  }

  async function postRequest() {
    const { kind } = await step.send();
    // The dots show the acceptance before the page changes.
    if (kind === "accepted") setTimeout(() => goTo(`${pages.success.path}/`), timing.acceptedMs);
  }

  function start() {
    if (busy || sending || dailyLimit) return;
    track("send_likes");
    step.reset();
    setProgressRunning(true);
    void check();
  }

  function finishProgress() {
    if (!progressRunning) return;
    setProgressRunning(false);
    void postRequest();
  }

  return { busy, progressRunning, start, finishProgress, postRequest, stop: () => setProgressRunning(false) };
}

function Panel({ step, sending }: { step: RequestStep; sending: Sending }) {
  const { accepted, dailyLimit, failure, pending, remedy } = step;
  const { busy, progressRunning } = sending;
  const lostResponse = lostResponseMessage(failure?.error);
  const refused = remedy === "another post";
  const sendButton = useRef<HTMLButtonElement>(null);

  function stop() {
    sending.stop();
    sendButton.current?.focus();
  }

  function panelTitle(): string {
    const kind = step.post ? postKind(step.post) : "Post";
    if (busy || pending) return `Boosting This ${kind}`;
    if (dailyLimit) return "No Likes Left Today";
    if (failure) return failure.unknown ? "Not Confirmed Yet" : "That Did Not Work";
    return step.post?.checked ? "Ready to Boost This Post" : `This ${kind} Was Not Checked`;
  }

  function mainAction(): ReactNode {
    if (refused && !busy) return <TryAnotherPost />;
    if (remedy === "start over")
      return (
        <ButtonLink href={pages.home.path} size="lg">
          Start from Step 1
        </ButtonLink>
      );
    return (
      <Button
        ref={sendButton}
        size="lg"
        loading={busy}
        disabled={dailyLimit !== null}
        onClick={sending.start}
      >
        {busy ? "Sending Likes..." : "Send 50 Free Likes"}
      </Button>
    );
  }

  return (
    <Card>
      <CardHeader>
        <CardTitle>{panelTitle()}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        {/* Screen readers announce only changes of a live region, so it exists before the progress. */}
        <div aria-live="polite" className="empty:-mt-5">
          {busy && (
            <SimulatedProgress
              finished={accepted !== null}
              sent={!progressRunning}
              onDone={sending.finishProgress}
            />
          )}
        </div>
        {failure && !busy && remedy !== "tomorrow" && (
          <Alert variant="destructive" role="alert">
            <p>{`Error: ${sendFailureMessage(failure.error)}`}</p>
            {lostResponse && <p>{lostResponse}</p>}
            {failure.unknown && (
              <p className="mt-1.5">Your request may have arrived. It never counts twice.</p>
            )}
            {refused && <p className="mt-1.5">{refusedText}</p>}
          </Alert>
        )}
        {dailyLimit && !busy && !pending && (
          <DailyLimitPanel
            message={dailyLimit.message && `Error: ${dailyLimit.message}`}
            limit={dailyLimit.limit}
            calendar
          />
        )}
        {pending ? (
          <PendingPanel outcome={pending} checking={step.sending} onCheck={() => void sending.postRequest()}>
            <GoBack />
          </PendingPanel>
        ) : (
          <Actions>
            {mainAction()}
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
