"use client";

import { useEffect, type ReactNode } from "react";
import { ActionLink, Actions } from "@/components/flow/parts/actions";
import { explain, Failure } from "@/components/flow/parts/failure";
import { FlowScreen } from "@/components/flow/parts/flow-screen";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { notCheckedText, PostCard } from "@/components/flow/parts/post-card";
import { ProcessingLink } from "@/components/flow/parts/processing-link";
import { WaitTimeline } from "@/components/flow/parts/timeline";
import { Wait, waitTitle } from "@/components/flow/parts/wait";
import { useFlowCheck } from "@/components/flow/hooks/use-flow-check";
import { endsFlow, viewOfStatus, type StepView } from "@/components/flow/hooks/use-request-step";
import { Alert } from "@/components/ui/alert";
import { failureReason } from "@/lib/client/api/api-client";
import { usePostDetails, useStatus } from "@/lib/client/api/queries";
import { writeFlowValue } from "@/lib/client/browser/flow";
import { replaceWith } from "@/lib/client/browser/navigate";
import { processing } from "@/lib/content/figures";
import { limits } from "@/lib/config/limits";
import { pages, previewPath } from "@/lib/http/pages";

/** Renders step 2, which checks that the post is public and that the visitor can request likes now. */
export function Verification() {
  const details = usePostDetails(null);
  const post = details.data?.success ? details.data : null;
  const ineligible = details.data?.success === false ? details.data : null;
  const blocked = ineligible?.code === "post_blocked";
  const status = useStatus(post !== null);
  const view = findView();
  useFlowCheck();
  useEffect(() => {
    if (post) writeFlowValue("post", JSON.stringify(post));
  }, [post]);
  useEffect(() => {
    if (ineligible && !blocked) replaceWith(`${pages.privateAccountError.path}/`);
  }, [ineligible, blocked]);

  function findView(): StepView {
    if (details.error && !details.isValidating) return "not-loaded";
    return post ? viewOfStatus(status) : blocked ? "no-post" : "loading";
  }

  function renderView(): ReactNode {
    if (view === "loading")
      return (
        <LoadingView title={post ? "Checking your free likes..." : "Verifying your post..."}>
          {processing.text}
        </LoadingView>
      );
    if (view === "not-loaded")
      return (
        <Failure
          cause={failureReason(details.error)}
          action={() => void details.mutate()}
          back={<ActionLink href={pages.home.path}>Start from Step 1</ActionLink>}
        >
          <p>
            <strong className="font-semibold">Verification Error:</strong> We encountered an error verifying
            your post.
          </p>
        </Failure>
      );
    if (view === "no-post") return <Failure>{ineligible && explain(ineligible)}</Failure>;
    if (view !== "ready") return <Wait status={status} back={goBack} />;
    return (
      <>
        {status.data?.pending && (
          <Alert variant="info" role="status" title="An earlier request is still being processed">
            <p className="text-muted-foreground">Continuing resumes it: it does not start a second one.</p>
          </Alert>
        )}
        {post && (
          <PostCard details={post} likes={`${limits.likesPerRequest} free likes`}>
            <Actions>
              <ProcessingLink href={`${pages.getLikes.path}/`}>Continue to Get Likes</ProcessingLink>
              {goBack}
            </Actions>
            <a
              href={previewPath(post.postId)}
              className="link -my-2 inline-flex min-h-9 items-center self-start text-sm"
            >
              {`Preview this ${post.type}`}
            </a>
          </PostCard>
        )}
      </>
    );
  }

  const shown = view === "ready" ? post : null;
  return (
    <FlowScreen
      current={2}
      view={view}
      flowEnded={endsFlow(details.error)}
      heading={view === "waiting" ? waitTitle(status.data) : "Checking Your Instagram Post"}
      lead={
        shown
          ? shown.checked
            ? `Your ${shown.type} is public: it can get likes.`
            : notCheckedText(shown)
          : view !== "waiting" && "Only posts that everyone can see can get likes."
      }
      aside={view === "waiting" && <WaitTimeline status={status.data} />}
    >
      {renderView()}
    </FlowScreen>
  );
}

const goBack = <ActionLink href={pages.home.path}>Go Back</ActionLink>;
