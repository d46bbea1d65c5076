"use client";

import { remedyFor, sendFailureMessage, useLikeRequest } from "@/components/flow/hooks/use-like-request";
import { viewOfStatus, type StepView } from "./step-views";
import { useDailyUsage, usePostDetails, useStatus } from "@/lib/client/api/queries";
import { useStoredPost } from "@/lib/client/browser/flow-storage";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { timing } from "@/lib/config/limits";

export type RequestStep = ReturnType<typeof useRequestStep>;

/**
 * Loads the post of the flow, and requests likes for it. Step 3 and the preview page show the same state in two
 * layouts.
 *
 * @param toLink Returns the link that the request for likes contains.
 * @param options.statusFirst If true, requests the status first, and sends no request while the visitor has to wait.
 */
export function useRequestStep(toLink: (post: InstagramPost) => string, options: { statusFirst: boolean }) {
  const details = usePostDetails(useStoredPost());
  const { outcome, ...request } = useLikeRequest();
  const status = useStatus(outcome?.kind === "limited");
  const usage = useDailyUsage(timing.dailyUsagePollMs);

  const post = details.data?.success ? details.data : null;
  const ineligible = details.data?.success === false ? details.data : null;
  const failure = outcome?.kind === "failed" ? outcome : null;
  const remedy = failure && remedyFor(failure.error);
  const limit = usage.data?.dailyLimit;

  const view = ((): StepView => {
    if (ineligible) return "no-post";
    if (details.error && !details.isValidating) return "not-loaded";
    // Without the usage, a message about the daily limit would move the buttons when it arrives.
    if (!post || !(usage.data || usage.error)) return "loading";
    if (outcome?.kind === "limited") return viewOfStatus(status);
    if (outcome?.kind === "pending") return "pending";
    return failure ? "not-sent" : "ready";
  })();

  async function send() {
    const result = await request.send(post ? toLink(post) : "", options);
    if (result.kind === "failed") void usage.mutate();
    return result;
  }

  return {
    ...request,
    send,
    view,
    details,
    post,
    ineligible,
    status,
    accepted: outcome?.kind === "accepted" ? outcome.reply.order : null,
    pending: outcome?.kind === "pending" ? outcome : null,
    failure,
    remedy,
    /** No likes are left today. `message` is that of the server. Null while likes are left. */
    dailyLimit:
      limit?.reached || remedy === "tomorrow"
        ? { message: remedy === "tomorrow" ? sendFailureMessage(failure?.error) : undefined, limit }
        : null,
  };
}
