"use client";

import { useState } from "react";
import { Actions } from "@/components/flow/actions";
import { BackToHome } from "@/components/flow/back-to-home";
import { FlowScreen } from "@/components/flow/flow-screen";
import { PendingPanel } from "@/components/flow/pending-panel";
import { PostCard } from "@/components/flow/post-card";
import { RateLimited, rateLimitedTitle } from "@/components/flow/rate-limited";
import { SimulatedProgress } from "@/components/flow/simulated-progress";
import { StartOverNotice } from "@/components/flow/start-over-notice";
import { StatusError } from "@/components/flow/status-error";
import {
  endsFlow,
  useLikeRequest,
  type LikeOutcome,
  type PendingOutcome,
} from "@/components/flow/use-like-request";
import { useViewFocus } from "@/components/flow/use-view-focus";
import { Waiting } from "@/components/flow/waiting";
import { AdSlot } from "@/components/site/ad-slot";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { PostDetails } from "@/lib/api-types";
import { track } from "@/lib/client/analytics";
import { ApiError, visitorMessageOf } from "@/lib/client/fetch-json";
import { useFlowValue } from "@/lib/client/flow-storage";
import { goTo } from "@/lib/client/navigate";
import { SwrProvider, useDailyUsage, usePostDetails, useStatus } from "@/lib/client/swr";
import { usePageRestored } from "@/lib/client/use-page-restored";
import { likeLink } from "@/lib/instagram-link";
import { timing } from "@/lib/limits";
import { pages } from "@/lib/routes";

const title = "Get 50 Free Instagram Likes";
const sendFailure = "Failed to send likes. Please try again.";

export interface GetLikesProps {
  /** The advertising unit of the header slot. */
  adUnit?: string;
}

/** Step 3: the post once more, and the request itself. */
export function GetLikes({ adUnit }: GetLikesProps) {
  const postId = useFlowValue("postId");
  if (postId === null) return <StartOverNotice />;
  return (
    <SwrProvider>
      <Steps postId={postId} adUnit={adUnit} />
    </SwrProvider>
  );
}

/** Where the request stands. "progress" is the bar before it; "posting" the request itself. */
type Stage = { name: "idle" } | { name: "progress" } | { name: "posting" } | { name: "done" } | AfterRequest;
type AfterRequest =
  { name: "failed"; error: unknown } | { name: "limited" } | { name: "pending"; outcome: PendingOutcome };

function Steps({ postId, adUnit }: GetLikesProps & { postId: string | undefined }) {
  const details = usePostDetails(postId ? { id: postId } : null);
  const post = details.data?.success ? details.data : null;
  const failed = details.data?.success === false || (details.error !== undefined && !details.isValidating);
  const [stage, setStage] = useState<Stage>({ name: "idle" });
  const status = useStatus(stage.name === "limited");
  const waits = stage.name === "limited" && status.data?.canRequest !== true;
  // While it is pending, the button that was pressed can no longer be.
  const likes = stage.name === "pending" ? "pending" : "likes";
  const heading = useViewFocus(waits ? "limited" : failed ? "failed" : post ? likes : "loading");

  return (
    <FlowScreen
      step={3}
      failed={failed}
      heading={waits && status.data ? rateLimitedTitle : title}
      headingRef={heading}
      aside={<AdSlot unit={adUnit} />}
    >
      {failed ? (
        <LoadError />
      ) : !post ? (
        <Waiting title="Loading Post Details">This usually takes less than 10 seconds.</Waiting>
      ) : waits && status.data ? (
        <>
          <RateLimited status={status.data} onRefresh={() => status.mutate()} />
          <BackToHome />
        </>
      ) : waits && status.error ? (
        <StatusError onRetry={() => void status.mutate()} retrying={status.isValidating}>
          <BackToHome />
        </StatusError>
      ) : waits ? (
        <Waiting title="Checking your free likes..." />
      ) : (
        <Ready post={post} stage={stage} setStage={setStage} />
      )}
    </FlowScreen>
  );
}

interface ReadyProps {
  post: PostDetails;
  stage: Stage;
  setStage: (stage: Stage) => void;
}

function Ready({ post, stage, setStage }: ReadyProps) {
  const usage = useDailyUsage(timing.dailyUsagePollMs);
  const request = useLikeRequest();
  const limitReached = usage.data?.dailyLimit.reached ?? false;
  const failure = stage.name === "failed" ? stage.error : null;
  const saysLimit = failure instanceof ApiError && failure.code === "daily_limit";
  const busy = stage.name === "progress" || stage.name === "posting" || stage.name === "done";

  // Nothing was sent while the bar ran, and what was accepted is told by the status: both start afresh.
  usePageRestored(() => {
    if (stage.name === "progress" || stage.name === "done") setStage({ name: "idle" });
  });

  async function postRequest() {
    const outcome = await request.send(likeLink(post.postId));
    if (outcome.kind === "failed") void usage.mutate();
    setStage(stageAfter(outcome));
    if (outcome.kind === "accepted") goTo(`${pages.success.path}/`);
  }

  function start() {
    if (busy || request.sending || limitReached) return;
    track("send_likes");
    setStage({ name: "progress" });
  }

  function panelTitle(): string {
    if (busy || stage.name === "pending") return "Boosting This Post";
    return limitReached ? "No Likes Left Today" : "Ready to Boost This Post";
  }

  function finishProgress() {
    if (stage.name !== "progress") return;
    setStage({ name: "posting" });
    void postRequest();
  }

  return (
    <>
      <PostCard details={post} preview />
      <Card>
        <CardHeader>
          <CardTitle>{panelTitle()}</CardTitle>
        </CardHeader>
        <CardContent className="flex flex-col gap-5">
          {busy && <SimulatedProgress finished={stage.name === "done"} onDone={finishProgress} />}
          {stage.name === "failed" && (
            <Alert variant="destructive" role="alert">
              <p>Error: {visitorMessageOf(failure, sendFailure)}</p>
              {endsFlow(failure) && (
                <a href={pages.home.path} className="link mt-1 inline-block">
                  Start from Step 1
                </a>
              )}
            </Alert>
          )}
          {limitReached && !busy && !saysLimit && (
            <Alert variant="destructive" role="alert">
              <p>Our daily API limit has been reached. Please try again tomorrow.</p>
            </Alert>
          )}
          {stage.name === "pending" && (
            <PendingPanel
              key={stage.outcome.answer}
              message={stage.outcome.message}
              retryAfterSeconds={stage.outcome.retryAfterSeconds}
              checking={request.sending}
              onCheck={() => void postRequest()}
            />
          )}
          <Actions>
            <Button
              size="lg"
              loading={busy}
              disabled={limitReached || stage.name === "pending"}
              onClick={start}
            >
              {busy ? "Sending Likes..." : "Send 50 Free Likes"}
            </Button>
            {!busy && <GoBack />}
          </Actions>
        </CardContent>
      </Card>
    </>
  );
}

function stageAfter(outcome: LikeOutcome): Stage {
  switch (outcome.kind) {
    case "accepted":
      return { name: "done" };
    case "limited":
      return { name: "limited" };
    case "pending":
      return { name: "pending", outcome };
    case "failed":
      return { name: "failed", error: outcome.error };
  }
}

function LoadError() {
  return (
    <>
      <Alert variant="destructive" role="alert" title="Error Loading Post">
        <p>We couldn&apos;t retrieve your post details. Please try again.</p>
      </Alert>
      <GoBack />
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
