"use client";

import { useRef, useState } from "react";
import type { LikeReply } from "@/lib/schemas/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { broadcastFlowChange } from "@/lib/client/browser/broadcast";
import { ApiError, mayHaveSucceeded, postJson, getVisitorMessage } from "@/lib/client/api/api-client";
import { getFingerprint } from "@/lib/client/api/fingerprint";
import { readFlowValue, writeFlowValue } from "@/lib/client/browser/flow-storage";
import { isLikeReply } from "@/lib/client/browser/shapes";
import { createIdempotencyKey } from "@/lib/client/browser/idempotency-key";
import { forgetStatus, recordOrder, requestStatus } from "@/lib/client/api/queries";

/** Shown after a failed request if the server sent no message. */
const defaultFailureMessage = "Failed to send likes. Please try again.";

/** Returns the message for a failed request for likes. Uses a default if the server sent no message. */
export function sendFailureMessage(error: unknown): string {
  return lostResponseMessage(error) ? defaultFailureMessage : getVisitorMessage(error, defaultFailureMessage);
}

/** Returns a message about the connection if no response arrived. Returns null after any other error. */
export function lostResponseMessage(error: unknown): string | null {
  return error instanceof ApiError && error.status === 0 ? error.visitorMessage : null;
}

/** Returns true if the request for likes of this error may have been carried out. Status 429 refuses it. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status !== 429 && mayHaveSucceeded(error);
}

/** The server does not know yet whether the order succeeded or failed. */
export interface PendingOutcome {
  kind: "pending";
  message: string;
  /** The visitor can send the request again after this time (a value of `performance.now()`). */
  retryAtMs: number;
}

export type LikeOutcome =
  | { kind: "accepted"; reply: LikeReply }
  | PendingOutcome
  /** The visitor has to wait. GET /api/instagram/status returns the end of the wait. */
  | { kind: "limited" }
  /** `unknown`: no answer says whether the request was carried out. */
  | { kind: "failed"; error: unknown; unknown: boolean };

const limitCodes = new Set(["cooldown", "daily_cap", "address_cap", "paced"]);
const pendingCodes = new Set(["order_pending", "in_progress"]);
/** After these errors the visitor must start again, because the flow ended or is for another post. */
const startOverCodes = new Set(["flow_required", "post_mismatch"]);
const defaultRetrySeconds = 30;

export type LikeRequest = ReturnType<typeof useLikeRequest>;

/** Sends requests for likes. Changes the Idempotency-Key only if the response proves that no order exists. */
export function useLikeRequest() {
  /** The Idempotency-Key. This ref also keeps the key, because some browsers block session storage. */
  const attemptKey = useRef<string | null>(null);
  const inFlight = useRef<Promise<LikeOutcome> | null>(null);
  const [sending, setSending] = useState(false);
  /** True while a request for likes is on its way. False while `send` requests the status first. */
  const [requested, setRequested] = useState(false);
  /** Outcome of the last request. Null before the first request and after `reset`. */
  const [outcome, setOutcome] = useState<LikeOutcome | null>(null);

  async function post(postLink: string, statusFirst: boolean): Promise<LikeOutcome> {
    if (statusFirst && !(await canRequest())) return { kind: "limited" };
    // link-form.tsx stores the first key. After a reload, the same key prevents a second order.
    attemptKey.current ??= readFlowValue("attempt") ?? createIdempotencyKey();
    setRequested(true);
    const result = await postLikes(postLink, attemptKey.current);
    if (result.kind === "failed" && !mayHaveSucceeded(result.error)) {
      attemptKey.current = createIdempotencyKey();
      writeFlowValue("attempt", attemptKey.current);
    }
    if (result.kind === "accepted") {
      recordOrder(result.reply);
      broadcastFlowChange();
      track("likes_accepted");
    }
    // The receipt does not wait for the status.
    if (result.kind === "accepted" && statusFirst) void canRequest();
    if (result.kind === "limited") await canRequest();
    return result;
  }

  function forgetDailyLimitAtReset(result: LikeOutcome) {
    if (result.kind !== "failed" || remedyFor(result.error) !== "tomorrow") return;
    const { retryAfterSeconds } = result.error as ApiError;
    if (!retryAfterSeconds) return;
    const forget = () => setOutcome((current) => (current === result ? null : current));
    setTimeout(forget, retryAfterSeconds * 1_000);
  }

  /**
   * Sends the request for likes. If the outcome is unknown, the next call sends the same Idempotency-Key.
   *
   * @param options.statusFirst If true, requests the status first, and sends nothing while the visitor has to wait.
   */
  function send(postLink: string, { statusFirst }: { statusFirst: boolean }): Promise<LikeOutcome> {
    if (!postLink) throw new Error("No post selected");
    if (inFlight.current) return inFlight.current;
    setSending(true);
    inFlight.current = post(postLink, statusFirst)
      .then((result) => {
        setOutcome(result);
        forgetDailyLimitAtReset(result);
        return result;
      })
      .finally(() => {
        inFlight.current = null;
        setSending(false);
        setRequested(false);
      });
    return inFlight.current;
  }

  return {
    outcome,
    send,
    sending,
    requested,
    reset: () => setOutcome(null),
    /** Shows the error of another request, unless a request for likes is on its way or has an outcome. */
    fail(error: ApiError) {
      if (!inFlight.current) setOutcome((current) => current ?? { kind: "failed", error, unknown: false });
    },
  };
}

/** Returns true for errors after which the visitor must start again at step 1. */
export function endsFlow(error: unknown): boolean {
  return error instanceof ApiError && startOverCodes.has(error.code ?? "");
}

export type Remedy = "again" | "another post" | "start over" | "tomorrow";

/** Returns the action to offer after a failed request for likes. "again" means: a retry may succeed. */
export function remedyFor(error: unknown): Remedy {
  if (endsFlow(error)) return "start over";
  const code = error instanceof ApiError ? error.code : null;
  if (code === "daily_limit") return "tomorrow";
  return code === "delivery_refused" ? "another post" : "again";
}

/** Requests the status. Returns false if the visitor has to wait, or if the request fails. */
async function canRequest(): Promise<boolean> {
  return requestStatus().then(
    (status) => status.canRequest,
    () => {
      // Otherwise the page would show an earlier status, by which the visitor can send.
      forgetStatus();
      return false;
    },
  );
}

async function postLikes(postLink: string, idempotencyKey: string): Promise<LikeOutcome> {
  try {
    const fingerprint = await getFingerprint();
    const reply = await postJson<LikeReply>(
      "/api/instagram/like",
      { instagramUrl: postLink },
      { idempotencyKey, fingerprint, accepts: isLikeReply },
    );
    return { kind: "accepted", reply };
  } catch (error) {
    const failed = { kind: "failed", error, unknown: isUnknown(error) } as const;
    if (!(error instanceof ApiError) || error.code === null) return failed;
    if (limitCodes.has(error.code)) return { kind: "limited" };
    if (!pendingCodes.has(error.code)) return failed;
    return {
      kind: "pending",
      message: error.visitorMessage ?? "It has not been confirmed yet; please check back in a minute.",
      retryAtMs: performance.now() + (error.retryAfterSeconds ?? defaultRetrySeconds) * 1_000,
    };
  }
}
