"use client";

import { useRef, useState } from "react";
import type { LikeReply, Receipt } from "@/lib/http/api-responses";
import { track } from "@/lib/client/browser/analytics";
import { broadcastOrder } from "@/lib/client/browser/broadcast";
import { ApiError, mayHaveSucceeded, postJson, visitorMessageOf } from "@/lib/client/api/fetch-json";
import { getFingerprint } from "@/lib/client/api/fingerprint";
import { readFlowValue, writeFlowValue } from "@/lib/client/browser/flow-storage";
import { createIdempotencyKey } from "@/lib/client/api/idempotency-key";
import { useStatusRequest, useStatusReset } from "@/lib/client/api/swr";

/** The words for a failure that brought none of its own. */
const sendFailure = "Failed to send likes. Please try again.";

/** What a failed request says first: the server's words, or the specified ones. */
export function sendFailureMessage(error: unknown): string {
  return lostResponseMessage(error) ? sendFailure : visitorMessageOf(error, sendFailure);
}

/** What is known besides where no answer came, for below those words; null where one came. */
export function lostResponseMessage(error: unknown): string | null {
  return error instanceof ApiError && error.status === 0 ? error.visitorMessage : null;
}

/** Where the day's likes are used up, before anything is sent. */
export const dailyLimitReached = "Our daily API limit has been reached. Please try again tomorrow.";

/** Not known yet: neither success nor failure. */
export interface PendingOutcome {
  kind: "pending";
  message: string;
  /** When asking again makes sense, by `performance.now()`. */
  askAgainAtMs: number;
}

/** How a like request ended, as far as it is known. */
export type LikeOutcome =
  | { kind: "accepted"; order: Receipt }
  | PendingOutcome
  /** The visitor has to wait; the status says how long. */
  | { kind: "limited" }
  | { kind: "failed"; error: unknown };

const limitCodes = new Set(["cooldown", "daily_cap", "address_cap"]);
const pendingCodes = new Set(["order_pending", "in_progress"]);
/** The flow in the cookie is over, or another tab started one. */
const startOverCodes = new Set(["flow_required", "post_mismatch"]);
const defaultRetrySeconds = 30;

export interface LikeRequest {
  /** How the last request ended; null before it, and once it is forgotten. */
  outcome: LikeOutcome | null;
  /** Posts the request. Called again after a pending or unknown outcome, it asks about the same order. */
  send: (postLink: string) => Promise<LikeOutcome>;
  /** A request is on its way. */
  sending: boolean;
  /** Sets the outcome aside, for the visitor begins anew. */
  forget: () => void;
}

/**
 * Requests likes, once per attempt however often it is asked: an attempt keeps its Idempotency-Key until the server has
 * definitely not taken it. The key is the tab's, so that a reload, Back, and a copy of the tab ask about the same order,
 * and are answered with its receipt. Afterwards what was known of the status is out of date, and other tabs are told.
 */
export function useLikeRequest(): LikeRequest {
  /** For where the tab can store nothing. */
  const attemptKey = useRef<string | null>(null);
  const underWay = useRef<Promise<LikeOutcome> | null>(null);
  const [sending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<LikeOutcome | null>(null);
  const askStatus = useStatusRequest();
  const resetStatus = useStatusReset();

  async function post(postLink: string): Promise<LikeOutcome> {
    attemptKey.current ??= readFlowValue("attempt") ?? createIdempotencyKey();
    const result = await requestLikes(postLink, attemptKey.current);
    if (result.kind === "failed" && !mayHaveSucceeded(result.error)) {
      attemptKey.current = createIdempotencyKey();
      writeFlowValue("attempt", attemptKey.current);
    }
    if (result.kind === "accepted") {
      resetStatus();
      broadcastOrder();
      track("likes_accepted");
    }
    if (result.kind === "limited") {
      await askStatus().catch(() => {
        // The outcome stands without it.
      });
    }
    setOutcome(result);
    return result;
  }

  function send(postLink: string): Promise<LikeOutcome> {
    if (!postLink) throw new Error("No post selected");
    if (underWay.current) return underWay.current;
    setSending(true);
    underWay.current = post(postLink).finally(() => {
      underWay.current = null;
      setSending(false);
    });
    return underWay.current;
  }

  return { outcome, send, sending, forget: () => setOutcome(null) };
}

/** Whether only step 1 helps after this failure: asking again would fail again. */
export function endsFlow(error: unknown): boolean {
  return error instanceof ApiError && startOverCodes.has(error.code ?? "");
}

/** What can help after a failed request: not asking again, where the answer would be the same. */
export type Remedy = "again" | "another post" | "start over" | "tomorrow";

export function remedyFor(error: unknown): Remedy {
  if (endsFlow(error)) return "start over";
  const code = error instanceof ApiError ? error.code : null;
  if (code === "daily_limit") return "tomorrow";
  return code === "delivery_refused" ? "another post" : "again";
}

async function requestLikes(postLink: string, idempotencyKey: string): Promise<LikeOutcome> {
  try {
    const fingerprint = await getFingerprint();
    const { order } = await postJson<LikeReply>(
      "/api/instagram/like",
      { instagramUrl: postLink },
      { idempotencyKey, fingerprint },
    );
    return { kind: "accepted", order };
  } catch (error) {
    return readFailure(error);
  }
}

function readFailure(error: unknown): LikeOutcome {
  const code = error instanceof ApiError ? error.code : null;
  if (error instanceof ApiError && code !== null && pendingCodes.has(code)) {
    return {
      kind: "pending",
      message: error.visitorMessage ?? "It has not been confirmed yet; please check back in a minute.",
      askAgainAtMs: performance.now() + (error.retryAfterSeconds ?? defaultRetrySeconds) * 1_000,
    };
  }
  if (code !== null && limitCodes.has(code)) return { kind: "limited" };
  return { kind: "failed", error };
}
