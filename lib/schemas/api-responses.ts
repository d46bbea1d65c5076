import { z } from "zod";

/* The browser imports only the types of this file, because zod is large. */

export const postTypeSchema = z.enum(["post", "reel"]);
export type PostType = z.output<typeof postTypeSchema>;

export const postSchema = z.object({ postId: z.string(), type: postTypeSchema });
export type InstagramPost = z.output<typeof postSchema>;

export const receiptSchema = postSchema.extend({
  /** Short reference for support requests. */
  reference: z.string(),
  likes: z.number(),
  acceptedAt: z.string(),
  /** End of the cooldown, as an ISO date-time. */
  nextAvailable: z.string(),
});
export type Receipt = z.output<typeof receiptSchema>;

export interface ApiFailure {
  success: false;
  /** Error code from lib/http/errors.ts, or a code of IneligiblePost from GET /api/instagram/post-details. */
  code: string;
  message: string;
  /** Time of the next likes (ISO date-time), if the code is `paced`. */
  nextLikesAt?: string;
  fields?: Record<string, string>;
}

/** Response body of GET /api/recaptcha/sitekey. */
export interface SiteKeyReply {
  sitekey: string;
  provider: "altcha" | "recaptcha" | "turnstile";
}

/** Response body of POST /api/recaptcha/verify. */
export interface CaptchaReply {
  success: true;
  dev_mode?: true;
  bypass_mode?: true;
  error_bypass?: true;
}

/** Response body of GET /api/instagram/post-details for a post that is public, or that was not checked. */
export interface PostDetails extends InstagramPost {
  success: true;
  username: string | null;
  caption: string | null;
  imageUrl: string | null;
  /** True if the response contains no image of the post. The page then shows a note. */
  note: boolean;
  /** True if a lookup found that the post is public. False if no lookup was possible: it may be private. */
  checked: boolean;
  /** True if the sandbox made up this post. The page then shows the label "Sample content". */
  sample: boolean;
}

/** Response body of GET /api/instagram/post-details for a post that cannot get likes. The status is 200. */
export interface IneligiblePost extends ApiFailure {
  code: "post_private" | "post_missing" | "post_blocked";
}

export interface TimeLeft {
  hours: number;
  minutes: number;
  seconds: number;
}

export type WaitReason = "cooldown" | "daily_cap" | "address_cap" | "paced";

/** Response body of GET /api/instagram/status. */
export interface StatusReply {
  canRequest: boolean;
  nextAvailable: string | null;
  timeLeft: TimeLeft;
  /** Current server time (ISO date-time). Countdowns use this time instead of the device clock. */
  serverTime: string;
  reason: WaitReason | null;
  /** True while the server does not know whether the delivery service accepted this visitor's order. */
  pending: boolean;
}

export interface DailyLimit {
  percentUsed: number;
  likesRemaining: number;
  likesUsed: number;
  totalLimit: number;
  reached: boolean;
  secondsUntilReset: number;
  resetsAt: string;
}

/** Response body of GET /api/instagram/daily-usage. */
export interface DailyUsageReply {
  success: true;
  dailyLimit: DailyLimit;
}

/** Response body of GET /api/instagram/receipt. `order` is null before an order is accepted. */
export interface ReceiptReply {
  success: true;
  order: Receipt | null;
}

/** Response body of POST /api/instagram/like for an accepted order. */
export interface LikeReply {
  success: true;
  order: Receipt;
  /** Today's usage with this order, because /daily-usage may come from a cache. */
  dailyLimit?: DailyLimit;
}

/** Response body of POST /api/contact/submit, /api/feedback/submit and /api/issue/submit. */
export interface FormReply {
  success: boolean;
  message?: string;
}
