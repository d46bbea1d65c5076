"use client";

import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { ActionLink, Actions } from "@/components/flow/parts/actions";
import { DailyLimitPanel } from "@/components/flow/parts/daily-limit-panel";
import {
  explain,
  Failure,
  refusedText,
  tryAnotherPost,
  unknownOutcome,
} from "@/components/flow/parts/failure";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { PendingPanel } from "@/components/flow/parts/pending-panel";
import { notCheckedText, PostCard, postKind } from "@/components/flow/parts/post-card";
import { sendingNote, SimulatedProgress } from "@/components/flow/parts/simulated-progress";
import { Timeline, WaitTimeline } from "@/components/flow/parts/timeline";
import { Wait, waitTitle } from "@/components/flow/parts/wait";
import type { ReceiptTexts } from "@/components/flow/success/receipt";
import { checkFlow, useFlowCheck } from "@/components/flow/hooks/use-flow-check";
import { endsFlow, useRequestStep, type RequestStep } from "@/components/flow/hooks/use-request-step";
import { AdSlot } from "@/components/site/ad-slot";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DotPanel, type Dots } from "@/components/ui/dot-grid";
import type { PostDetails } from "@/lib/schemas/api-responses";
import { cn } from "@/lib/client/cn";
import { failureReason, isOffline } from "@/lib/client/api/api-client";
import { track } from "@/lib/client/browser/analytics";
import { goTo } from "@/lib/client/browser/navigate";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { processing } from "@/lib/content/figures";
import { limits, timing } from "@/lib/config/limits";
import { likeLink } from "@/lib/flow/post-links";
import { pages } from "@/lib/http/pages";

/**
 * Renders step 3: the post, and the button that requests likes for it. `adUnit` is the id of the ad network's header unit, which
 * replaces the timeline.
 */
export function GetLikes({ texts, adUnit }: { texts: ReceiptTexts; adUnit?: string }) {
  const step = useRequestStep(({ postId }) => likeLink(postId), { statusFirst: false });
  const sending = useSending(step);
  const { dailyLimit, details, failure, ineligible, post, status, view } = step;
  const hasPanel = view === "ready" || view === "not-sent" || view === "pending";
  const unchecked = post?.checked === false;
  useFlowCheck();

  function renderView(): ReactNode {
    if (view === "no-post" || view === "not-loaded")
      return (
        <Failure
          title="Error Loading Post"
          cause={ineligible ? explain(ineligible) : failureReason(details.error)}
          action={ineligible ? undefined : () => void details.mutate()}
          back={goBack}
        >
          <p>We couldn&apos;t retrieve your post details. Please try again.</p>
        </Failure>
      );
    if (!post) return <LoadingView title="Loading Post Details">{processing.text}</LoadingView>;
    if (!hasPanel) return <Wait status={status} />;
    return <Panel step={step} post={post} sending={sending} acceptedDots={texts.dots} />;
  }

  return (
    <FlowScreen
      current={step.accepted ? 4 : 3}
      // After a failed request for likes, the pressed button is still on the page and keeps the focus.
      view={view === "not-sent" ? "ready" : view}
      failed={failure ? !failure.unknown : undefined}
      flowEnded={endsFlow(details.error)}
      unchecked={unchecked}
      heading={view === "waiting" ? waitTitle(status.data) : "Get 50 Free Instagram Likes"}
      lead={hasPanel && unchecked && notCheckedText(post)}
      aside={
        adUnit ? (
          // Invisible while the post loads, because its place then changes.
          <aside className={post ? undefined : "invisible"}>
            <AdSlot unit={adUnit} />
          </aside>
        ) : view === "waiting" ? (
          <WaitTimeline status={status.data} />
        ) : (
          view === "ready" &&
          !failure &&
          !dailyLimit && (
            <Timeline
              title={texts.nextTitle}
              receipt={step.accepted ? null : undefined}
              className="max-lg:hidden"
            />
          )
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

const sendingDots: Dots = { state: "open", caption: sendingNote };

interface PanelProps {
  step: RequestStep;
  post: PostDetails;
  sending: Sending;
  acceptedDots: Dots;
}

function Panel({ step, post, sending, acceptedDots }: PanelProps) {
  const { accepted, dailyLimit, failure, pending } = step;
  const { busy, progressRunning } = sending;
  const remedy = failure?.remedy;
  const sendButton = useRef<HTMLButtonElement>(null);

  function stop() {
    sending.stop();
    sendButton.current?.focus();
  }

  function panelTitle(): string {
    const kind = postKind(post);
    if (busy || pending) return `Boosting This ${kind}`;
    if (dailyLimit) return "No Likes Left Today";
    if (failure) return failure.unknown ? "Not Confirmed Yet" : "That Did Not Work";
    return post.checked ? "Ready to Boost This Post" : `This ${kind} Was Not Checked`;
  }

  function mainAction(): ReactNode {
    if (remedy === "another post") return tryAnotherPost;
    if (remedy === "start over")
      return (
        <ActionLink main href={pages.home.path}>
          Start from Step 1
        </ActionLink>
      );
    return (
      <Button
        ref={sendButton}
        size={busy ? "default" : "lg"}
        variant={busy ? "busy" : "default"}
        // Keeps the focus until the receipt opens.
        className={accepted ? "sr-only" : undefined}
        loading={busy && !accepted}
        disabled={dailyLimit !== null}
        onClick={sending.start}
      >
        {accepted ? "Accepted" : busy ? "Sending Likes..." : "Send 50 Free Likes"}
      </Button>
    );
  }

  const hasDots = busy || pending !== null || failure !== null;
  const dots = accepted ? acceptedDots : step.dots;
  return (
    <PostCard
      details={post}
      title={panelTitle()}
      likes={!hasDots && !dailyLimit && !failure && `+${limits.likesPerRequest} likes coming`}
      folded={hasDots || dailyLimit !== null || failure !== null}
    >
      {hasDots && (
        <DotPanel dots={busy && dots.state === "open" ? sendingDots : dots} busy={progressRunning} />
      )}
      {/* Screen readers announce only changes of a live region, so it exists before the progress. */}
      <div aria-live="polite" className="empty:-mt-3 sm:empty:-mt-4">
        {accepted ? (
          <>
            <p className="min-h-[2lh] text-muted-foreground max-sm:-mt-2 sm:min-h-0">
              <span className="sr-only">{dots.caption} </span>
              <span aria-hidden="true">Opening your receipt...</span>
            </p>
            {/* Stands for the rows of the receipt. The card keeps its height. */}
            <div className="tear -mx-4 mt-3 h-21 px-4 pt-3 sm:-mx-6 sm:mt-5 sm:h-20.5 sm:px-6 sm:pt-2.5">
              {["w-8", "w-16"].map((label) => (
                <span key={label} className="flex h-9 items-center max-sm:justify-between sm:h-12">
                  <span className="sm:w-43">
                    <span className={cn("block h-2 rounded-full bg-border", label)} />
                  </span>
                  <span className="h-2 w-26 rounded-full bg-border" />
                </span>
              ))}
            </div>
          </>
        ) : (
          busy && <SimulatedProgress onDone={sending.finishProgress} />
        )}
      </div>
      {failure && remedy !== "tomorrow" && (
        <Alert variant="destructive" role="alert">
          <p>{`Error: ${failure.message}`}</p>
          {failure.lostResponse && <p>{failure.lostResponse}</p>}
          {failure.unknown && unknownOutcome}
          {remedy === "another post" && <p className="mt-1.5">{refusedText}</p>}
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
          {goBack}
        </PendingPanel>
      ) : (
        <Actions row={busy}>
          {mainAction()}
          {progressRunning && (
            <Button variant="outline" onClick={stop}>
              Stop
            </Button>
          )}
          {!busy && goBack}
        </Actions>
      )}
    </PostCard>
  );
}

const goBack = <ActionLink href={`${pages.verification.path}/`}>Go Back</ActionLink>;
