import type { ReceiptTexts } from "@/components/flow/success/receipt";
import type { DailyUsageReply, PostDetails, Receipt, StatusReply } from "@/lib/schemas/api-responses";
import type { FakeReply } from "./fake-api";

/** Returns the details of a sample post that was checked. `overrides` replaces single fields. */
export function postDetails(overrides: Partial<PostDetails> = {}): PostDetails {
  return {
    success: true,
    postId: "DAbc123XyZ_",
    type: "post",
    username: "sample_account",
    caption: null,
    imageUrl: "/samples/post.svg",
    note: false,
    checked: true,
    sample: false,
    ...overrides,
  };
}

/** Returns the status reply for a visitor who can request likes now. */
export function statusReply(overrides: Partial<StatusReply> = {}): StatusReply {
  return {
    canRequest: true,
    nextAvailable: null,
    timeLeft: { hours: 0, minutes: 0, seconds: 0 },
    serverTime: new Date().toISOString(),
    reason: null,
    pending: false,
    ...overrides,
  };
}

/** Returns the status reply for a visitor who has to wait this number of seconds. */
export function waitingStatus(seconds: number, reason: StatusReply["reason"] = "cooldown"): StatusReply {
  const nextAvailable = new Date(Date.now() + seconds * 1_000).toISOString();
  return statusReply({ canRequest: false, reason, nextAvailable });
}

/** Returns the daily usage. 10 % of the likes are used. If `reached` is true, all likes are used. */
export function dailyUsage(reached = false): DailyUsageReply {
  return {
    success: true,
    dailyLimit: {
      percentUsed: reached ? 100 : 10,
      likesRemaining: reached ? 0 : 90_000,
      likesUsed: reached ? 100_000 : 10_000,
      totalLimit: 100_000,
      reached,
      secondsUntilReset: 3_600,
      resetsAt: "2026-11-21T00:00:00.000Z",
    },
  };
}

export const receipt: Receipt = {
  reference: "ABCD-1234-WXYZ",
  postId: "DAbc123XyZ_",
  type: "post",
  likes: 50,
  acceptedAt: "2026-11-20T12:00:00.000Z",
  nextAvailable: "2026-11-20T16:00:00.000Z",
};

/** Texts of the receipt on a live site. */
export const liveTexts: ReceiptTexts = {
  notice: null,
  dots: { state: "accepted", caption: "50 accepted" },
  nextTitle: "What happens next",
};

/** The reply of the server without flow cookies, or when they have expired. */
export const flowEndedReply: FakeReply = {
  status: 403,
  body: { success: false, code: "flow_required", message: "Please start from step 1." },
};
