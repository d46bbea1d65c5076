import { useRef, useState } from "react";
import { openDots, unconfirmedDots } from "@/components/ui/dot-grid";
import type { LikeReply } from "@/lib/schemas/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { broadcastFlowChange, readFlowValue, useStoredPost, writeFlowValue } from "@/lib/client/browser/flow";
import { createIdempotencyKey } from "@/lib/client/browser/interfaces";
import { rememberOrder } from "@/lib/client/browser/last-order";
import { ApiError, mayHaveSucceeded, postJson, getVisitorMessage } from "@/lib/client/api/api-client";
import { getFingerprint } from "@/lib/client/api/fingerprint";
import { canRequest, forgetStatus, useDailyUsage, usePostDetails, useStatus } from "@/lib/client/api/queries";
import { serverNow } from "@/lib/client/browser/server-clock";
import { isLikeReply } from "@/lib/client/browser/shapes";
import { timing } from "@/lib/config/limits";
import type { InstagramPost } from "@/lib/flow/instagram-link";

/** A view of step 2 or 3, or of the preview page. */
export type StepView =
  /** A request for the post details, today's usage or the status is in flight. */
  | "loading"
  /** The visitor can continue. The view stays the same while the page sends the request for likes. */
  | "ready"
  /** The page has sent the request for likes, but the outcome is not known yet. */
  | "pending"
  /** The visitor has to wait until a cooldown or a request limit ends. */
  | "waiting"
  /** The request for the post details failed. */
  | "not-loaded"
  /** The post does not exist, is not public, or is blocked. */
  | "no-post"
  /** The status request failed. */
  | "status-unknown"
  /** The server rejected the request for likes, or no response arrived. */
  | "not-sent";

/** Action to offer after a failed request for likes. "again" means: a retry may succeed. */
type Remedy = "again" | "another post" | "start over" | "tomorrow";

interface FailedOutcome {
  kind: "failed";
  error: unknown;
  /** The server's message, or a default. */
  message: string;
  /** Says that no response arrived. Null after any other error. */
  lostResponse: string | null;
  /** True if the request may have been carried out. */
  unknown: boolean;
  remedy: Remedy;
}

/** The server does not know yet whether the order succeeded or failed. */
export interface PendingOutcome {
  kind: "pending";
  message: string;
  /** The visitor can send the request again after this time (ISO date-time, server's clock). */
  retryAt: string;
}

export type LikeOutcome =
  | { kind: "accepted"; reply: LikeReply }
  | PendingOutcome
  /** The visitor has to wait. GET /api/instagram/status returns the end of the wait. */
  | { kind: "limited" }
  | FailedOutcome;

const limitCodes = new Set(["cooldown", "daily_cap", "address_cap", "paced"]);
const pendingCodes = new Set(["order_pending", "in_progress"]);
const remedies: Record<string, Remedy> = {
  // The flow has ended, or is for another post.
  flow_required: "start over",
  post_mismatch: "start over",
  daily_limit: "tomorrow",
  delivery_refused: "another post",
  post_blocked: "another post",
};
const defaultRetrySeconds = 30;
/** Shown after a failed request if the server sent no message. */
const defaultFailureMessage = "Failed to send likes. Please try again.";

export type RequestStep = ReturnType<typeof useRequestStep>;

/**
 * Loads the post of the flow, and requests likes for it. Step 3 and the preview page show the same state in two layouts.
 *
 * @param toLink Returns the link that the request for likes contains.
 * @param options.statusFirst If true, requests the status first, and sends no request while the visitor has to wait.
 */
export function useRequestStep(
  toLink: (post: InstagramPost) => string,
  { statusFirst }: { statusFirst: boolean },
) {
  /** The Idempotency-Key. This ref also keeps the key, because some browsers block session storage. */
  const attemptKey = useRef<string | null>(null);
  const inFlight = useRef(false);
  /** The request on its way: the status, which `statusFirst` requests first, or the request for likes. */
  const [sending, setSending] = useState<"status" | "likes" | null>(null);
  /** Outcome of the last request. Null before the first request and after `reset`. */
  const [outcome, setOutcome] = useState<LikeOutcome | null>(null);
  const details = usePostDetails(useStoredPost());
  const status = useStatus(outcome?.kind === "limited");
  const usage = useDailyUsage(timing.dailyUsagePollMs);

  const post = details.data?.success ? details.data : null;
  const ineligible = details.data?.success === false ? details.data : null;
  const failure = outcome?.kind === "failed" ? outcome : null;
  const pending = outcome?.kind === "pending" ? outcome : null;
  const limit = usage.data?.dailyLimit;
  const refusedForToday = failure?.remedy === "tomorrow";

  const view = ((): StepView => {
    if (ineligible) return "no-post";
    if (details.error && !details.isValidating) return "not-loaded";
    // Without the usage, a message about the daily limit would move the buttons when it arrives.
    if (!post || !(usage.data || usage.error)) return "loading";
    if (outcome?.kind === "limited") return viewOfStatus(status);
    if (pending) return "pending";
    return failure ? "not-sent" : "ready";
  })();

  async function request(postLink: string): Promise<LikeOutcome> {
    if (statusFirst && !(await canRequest())) return { kind: "limited" };
    // link-form.tsx stores the first key. After a reload, the same key prevents a second order.
    attemptKey.current ??= readFlowValue("attempt") ?? createIdempotencyKey();
    setSending("likes");
    const result = await postLikes(postLink, attemptKey.current);
    if (result.kind === "failed" && !mayHaveSucceeded(result.error)) {
      // The response proves that no order exists with this key.
      attemptKey.current = createIdempotencyKey();
      writeFlowValue("attempt", attemptKey.current);
    }
    if (result.kind === "accepted") {
      rememberOrder(result.reply);
      forgetStatus();
      broadcastFlowChange();
      track("likes_accepted");
      // The receipt does not wait for the status.
      if (statusFirst) void canRequest();
    }
    if (result.kind === "limited") await canRequest();
    return result;
  }

  /** Sends the request for likes. If the outcome is unknown, the next call sends the same Idempotency-Key. */
  async function send(): Promise<LikeOutcome> {
    if (!post) throw new Error("No post selected");
    inFlight.current = true;
    setSending("status");
    const result = await request(toLink(post));
    inFlight.current = false;
    setSending(null);
    setOutcome(result);
    if (result.kind === "failed") void usage.mutate();
    if (result.kind === "failed" && result.remedy === "tomorrow") forgetAtReset(result);
    return result;
  }

  function forgetAtReset(result: FailedOutcome) {
    const seconds = result.error instanceof ApiError && result.error.retryAfterSeconds;
    const forget = () => setOutcome((current) => (current === result ? null : current));
    if (seconds) setTimeout(forget, seconds * 1_000);
  }

  return {
    send,
    reset: () => setOutcome(null),
    /** Shows the error of another request, unless a request for likes is on its way or has an outcome. */
    fail(error: ApiError) {
      if (!inFlight.current) setOutcome((current) => current ?? describeFailure(error));
    },
    sending: sending !== null,
    view,
    details,
    post,
    ineligible,
    status,
    accepted: outcome?.kind === "accepted" ? outcome.reply.order : null,
    pending,
    failure,
    /** The dots before the acceptance. */
    dots: sending === "likes" || pending || failure?.unknown ? unconfirmedDots : openDots,
    /** No likes are left today. `message` is that of the server. Null while likes are left. */
    dailyLimit:
      limit?.reached || refusedForToday
        ? { message: refusedForToday ? failure.message : undefined, limit }
        : null,
  };
}

/** Returns "ready" if the visitor can request likes now. Otherwise returns the view that says why not. */
export function viewOfStatus({ data, error, isValidating }: ReturnType<typeof useStatus>): StepView {
  if (data) return data.canRequest ? "ready" : "waiting";
  return error && !isValidating ? "status-unknown" : "loading";
}

/** Returns true for errors after which the visitor must start again at step 1. */
export function endsFlow(error: unknown): boolean {
  return findRemedy(error) === "start over";
}

async function postLikes(postLink: string, idempotencyKey: string): Promise<LikeOutcome> {
  try {
    const fingerprint = await getFingerprint();
    const options = { idempotencyKey, fingerprint, accepts: isLikeReply };
    const reply = await postJson<LikeReply>("/api/instagram/like", { instagramUrl: postLink }, options);
    return { kind: "accepted", reply };
  } catch (error) {
    const code = (error instanceof ApiError && error.code) || "";
    if (limitCodes.has(code)) return { kind: "limited" };
    if (!(error instanceof ApiError) || !pendingCodes.has(code)) return describeFailure(error);
    const retrySeconds = error.retryAfterSeconds ?? defaultRetrySeconds;
    return {
      kind: "pending",
      message: error.visitorMessage ?? "It has not been confirmed yet; please check back in a minute.",
      retryAt: new Date(serverNow() + retrySeconds * 1_000).toISOString(),
    };
  }
}

function describeFailure(error: unknown): FailedOutcome {
  const known = error instanceof ApiError ? error : null;
  const lostResponse = known?.status === 0 ? known.visitorMessage : null;
  return {
    kind: "failed",
    error,
    message: lostResponse ? defaultFailureMessage : getVisitorMessage(error, defaultFailureMessage),
    lostResponse,
    // Status 429 refuses the request.
    unknown: known !== null && known.status !== 429 && mayHaveSucceeded(error),
    remedy: findRemedy(error),
  };
}

function findRemedy(error: unknown): Remedy {
  return (error instanceof ApiError && remedies[error.code ?? ""]) || "again";
}
