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
  dailyLimitReached,
  endsFlow,
  lostAnswerOf,
  sendFailureOf,
  useLikeRequest,
  type LikeRequest,
} from "@/components/flow/use-like-request";
import { useTitle } from "@/components/flow/use-title";
import { useViewFocus } from "@/components/flow/use-view-focus";
import { Waiting } from "@/components/flow/waiting";
import { AdSlot } from "@/components/site/ad-slot";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { PostDetails } from "@/lib/api-types";
import { track } from "@/lib/client/analytics";
import { ApiError } from "@/lib/client/fetch-json";
import { useFoundPost } from "@/lib/client/flow-storage";
import { goTo } from "@/lib/client/navigate";
import { SwrProvider, useDailyUsage, usePostDetails, useStatus } from "@/lib/client/swr";
import { usePageRestored } from "@/lib/client/use-page-restored";
import { processing } from "@/lib/content/claims";
import { startOverHead } from "@/lib/content/start-over";
import { likeLink } from "@/lib/instagram-link";
import { timing } from "@/lib/limits";
import { pages } from "@/lib/routes";

const title = "Get 50 Free Instagram Likes";

export interface GetLikesProps {
  /** The advertising unit of the header slot. */
  adUnit?: string;
}

/** Step 3: the post once more, and the request itself. */
export function GetLikes({ adUnit }: GetLikesProps) {
  return (
    <SwrProvider>
      <Steps adUnit={adUnit} />
    </SwrProvider>
  );
}

function Steps({ adUnit }: GetLikesProps) {
  const details = usePostDetails(useFoundPost());
  const post = details.data?.success ? details.data : null;
  const failed = details.data?.success === false || (details.error !== undefined && !details.isValidating);
  const request = useLikeRequest();
  const limited = request.outcome?.kind === "limited";
  const status = useStatus(limited);
  const waits = limited && status.data?.canRequest !== true;
  // While it is pending, the button that was pressed can no longer be.
  const likes = request.outcome?.kind === "pending" ? "pending" : "likes";
  const heading = useViewFocus(waits ? "limited" : failed ? "failed" : post ? likes : "loading");
  const name = waits && status.data ? rateLimitedTitle : title;
  const over = endsFlow(details.error);
  useTitle(over ? startOverHead.title : name);

  if (over) return <StartOverNotice />;
  return (
    <FlowScreen
      step={3}
      failed={failed}
      heading={name}
      headingRef={heading}
      aside={adUnit && <AdSlot unit={adUnit} />}
    >
      {failed ? (
        <LoadError />
      ) : !post ? (
        <Waiting title="Loading Post Details">{processing.text}</Waiting>
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
        <Ready post={post} request={request} />
      )}
    </FlowScreen>
  );
}

function Ready({ post, request }: { post: PostDetails; request: LikeRequest }) {
  const usage = useDailyUsage(timing.dailyUsagePollMs);
  const limitReached = usage.data?.dailyLimit.reached ?? false;
  /** The bar that precedes the request. */
  const [barRuns, setBarRuns] = useState(false);
  const { outcome, sending } = request;
  const pending = outcome?.kind === "pending" ? outcome : null;
  const failure = outcome?.kind === "failed" ? outcome.error : null;
  const lostAnswer = lostAnswerOf(failure);
  const accepted = outcome?.kind === "accepted";
  const busy = barRuns || accepted || (sending && !pending);
  const saysLimit = failure instanceof ApiError && failure.code === "daily_limit";

  // Nothing was sent while the bar ran, and what was accepted is told by the status: both start afresh.
  usePageRestored(() => {
    setBarRuns(false);
    if (accepted) request.forget();
  });

  async function postRequest() {
    const { kind } = await request.send(likeLink(post.postId));
    if (kind === "failed") void usage.mutate();
    if (kind === "accepted") goTo(`${pages.success.path}/`);
  }

  function start() {
    if (busy || sending || limitReached) return;
    track("send_likes");
    request.forget();
    setBarRuns(true);
  }

  function finishProgress() {
    if (!barRuns) return;
    setBarRuns(false);
    void postRequest();
  }

  function panelTitle(): string {
    if (busy || pending) return "Boosting This Post";
    return limitReached ? "No Likes Left Today" : "Ready to Boost This Post";
  }

  return (
    <>
      <PostCard details={post} preview awaited={busy || !(limitReached || outcome?.kind === "failed")} />
      <Card>
        <CardHeader>
          <CardTitle>{panelTitle()}</CardTitle>
        </CardHeader>
        <CardContent className="flex flex-col gap-5">
          {busy && <SimulatedProgress finished={accepted} onDone={finishProgress} />}
          {outcome?.kind === "failed" && !busy && (
            <Alert variant="destructive" role="alert">
              <p>Error: {sendFailureOf(failure)}</p>
              {lostAnswer && <p>{lostAnswer}</p>}
              {endsFlow(failure) && (
                <a href={pages.home.path} className="link mt-1 inline-block">
                  Start from Step 1
                </a>
              )}
            </Alert>
          )}
          {limitReached && !busy && !saysLimit && (
            <Alert variant="destructive" role="alert">
              <p>{dailyLimitReached}</p>
            </Alert>
          )}
          {pending && (
            <PendingPanel
              key={pending.answer}
              message={pending.message}
              retryAfterSeconds={pending.retryAfterSeconds}
              checking={sending}
              onCheck={() => void postRequest()}
            />
          )}
          <Actions>
            <Button size="lg" loading={busy} disabled={limitReached || pending !== null} onClick={start}>
              {busy ? "Sending Likes..." : "Send 50 Free Likes"}
            </Button>
            {!busy && <GoBack />}
          </Actions>
        </CardContent>
      </Card>
    </>
  );
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
