"use client";

import { useEffect } from "react";
import { Actions, TryAgain } from "@/components/flow/parts/actions";
import { BackToHome } from "@/components/flow/parts/back-to-home";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { notCheckedText, PostCard } from "@/components/flow/parts/post-card";
import { ProcessingButton } from "@/components/flow/parts/processing-button";
import { RateLimited, waitTitle } from "@/components/flow/screens/rate-limited";
import { StartOverNotice } from "@/components/flow/parts/start-over-notice";
import { StatusError } from "@/components/flow/parts/status-error";
import { isFailedView, viewOfStatus, type StepView } from "@/components/flow/hooks/step-views";
import { endsFlow } from "@/components/flow/hooks/use-like-request";
import { useDocumentTitle } from "@/components/flow/hooks/use-document-title";
import { useFlowCheck } from "@/components/flow/hooks/use-flow-check";
import { useFocusOnViewChange } from "@/components/flow/hooks/use-focus-on-view-change";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { Alert } from "@/components/ui/alert";
import { ButtonLink } from "@/components/ui/button";
import { openDots, unconfirmedDots } from "@/components/ui/dot-grid";
import { failureReason } from "@/lib/client/api/api-client";
import { writeFlowValue } from "@/lib/client/browser/flow-storage";
import { goTo, replaceWith } from "@/lib/client/browser/navigate";
import { usePostDetails, useStatus } from "@/lib/client/api/queries";
import { processing } from "@/lib/content/figures";
import { startOverHead } from "@/lib/content/start-over";
import { limits } from "@/lib/config/limits";
import { pages, previewPath } from "@/lib/http/pages";

const title = "Checking Your Instagram Post";

/** Renders step 2, which checks that the post is public and that the visitor can request likes now. */
export function Verification() {
  const details = usePostDetails(null);
  const post = details.data?.success ? details.data : null;
  const ineligible = details.data?.success === false;
  const status = useStatus(post !== null);

  useEffect(() => {
    if (post) writeFlowValue("post", JSON.stringify(post));
  }, [post]);
  useEffect(() => {
    if (ineligible) replaceWith(`${pages.privateAccountError.path}/`);
  }, [ineligible]);

  const view = ((): StepView => {
    if (details.error && !details.isValidating) return "not-loaded";
    if (!post) return "loading";
    return viewOfStatus(status);
  })();
  const headingRef = useFocusOnViewChange(view);
  const heading = view === "waiting" ? waitTitle(status.data) : title;
  const flowEnded = endsFlow(details.error);
  useDocumentTitle(flowEnded ? startOverHead.title : heading);
  useFlowCheck();

  if (flowEnded) return <StartOverNotice />;
  return (
    <FlowScreen
      step={2}
      failed={isFailedView(view)}
      heading={heading}
      headingRef={headingRef}
      lead={
        view === "ready" &&
        post &&
        (post.checked ? `Your ${post.type} is public: it can get likes.` : notCheckedText(post))
      }
      dots={view === "waiting" ? null : status.data?.pending ? unconfirmedDots : openDots}
      subject={
        view === "ready" &&
        post && (
          <PostCard details={post} likes={`${limits.likesPerRequest} free likes`}>
            <a
              href={previewPath(post.postId)}
              className="link -my-2 inline-flex min-h-9 items-center text-sm"
            >
              {`Preview this ${post.type}`}
            </a>
          </PostCard>
        )
      }
    >
      {view === "loading" && (
        <LoadingView title={post ? "Checking your free likes..." : "Verifying your post..."}>
          {processing.text}
        </LoadingView>
      )}
      {view === "not-loaded" && (
        <VerificationError error={details.error} onRetry={() => void details.mutate()} />
      )}
      {view === "status-unknown" && (
        <StatusError error={status.error} onRetry={() => void status.mutate()}>
          <BackToHome label="Go Back" />
        </StatusError>
      )}
      {view === "waiting" && status.data && (
        <>
          <RateLimited status={status.data} onRefresh={() => status.mutate()} />
          <BackToHome label="Go Back" />
        </>
      )}
      {view === "ready" && <Verified pending={status.data?.pending === true} />}
    </FlowScreen>
  );
}

function Verified({ pending }: { pending: boolean }) {
  return (
    <>
      {pending && (
        <Alert variant="info" role="status" title="An earlier request is still being processed">
          <p className="text-muted-foreground">Continuing resumes it: it does not start a second one.</p>
        </Alert>
      )}
      <Actions framed>
        <ProcessingButton size="lg" onProcessed={() => goTo(`${pages.getLikes.path}/`)}>
          Continue to Get Likes
        </ProcessingButton>
        <BackToHome label="Go Back" />
      </Actions>
    </>
  );
}

function VerificationError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <>
      <Alert variant="destructive" role="alert">
        <p>
          <strong className="font-semibold">Verification Error:</strong> We encountered an error verifying
          your post.
        </p>
        <p className="mt-1.5">{failureReason(error)}</p>
      </Alert>
      <Actions>
        <TryAgain onRetry={onRetry} />
        <ButtonLink href={pages.home.path} variant="outline" size="lg">
          Start from Step 1
        </ButtonLink>
      </Actions>
    </>
  );
}
