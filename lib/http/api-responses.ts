import type { z } from "zod";
import type { postTypeSchema, receiptSchema } from "@/lib/schemas/order";

/** The replies of the HTTP API, shared by the routes that write them and the browser that reads them. */

export type PostType = z.output<typeof postTypeSchema>;

export interface ApiFailure {
  success: false;
  /** A code of lib/http/errors.ts, or `post_private` / `post_missing` from post-details. */
  code: string;
  message: string;
  fields?: Record<string, string>;
}

/** GET /api/recaptcha/sitekey */
export interface SiteKeyReply {
  sitekey: string;
  provider: "altcha" | "recaptcha" | "turnstile";
}

/** POST /api/recaptcha/verify */
export interface CaptchaReply {
  success: true;
  dev_mode?: true;
  bypass_mode?: true;
  error_bypass?: true;
}

/** GET /api/instagram/post-details, a public post. */
export interface PostDetails {
  success: true;
  postId: string;
  type: PostType;
  username: string | null;
  caption: string | null;
  imageUrl: string | null;
  /** Only a limited preview is available. */
  note: boolean;
}

/** GET /api/instagram/post-details, answered 200: the post cannot get likes. */
export interface IneligiblePost extends ApiFailure {
  code: "post_private" | "post_missing";
}

export interface TimeLeft {
  hours: number;
  minutes: number;
  seconds: number;
}

/** Why a visitor has to wait. */
export type WaitReason = "cooldown" | "daily_cap" | "address_cap";

/** GET /api/instagram/status */
export interface StatusReply {
  canRequest: boolean;
  /** ISO date-time, or null when the visitor can request now. */
  nextAvailable: string | null;
  timeLeft: TimeLeft;
  /** The server's clock at the answer (ISO, milliseconds): countdowns do not trust the visitor's clock. */
  serverTime: string;
  reason: WaitReason | null;
  /** True while an order of this visitor waits for its outcome. */
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

/** GET /api/instagram/daily-usage */
export interface DailyUsageReply {
  success: true;
  dailyLimit: DailyLimit;
}

/** What a visitor gets for an accepted order. */
export type Receipt = z.output<typeof receiptSchema>;

/** POST /api/instagram/like, accepted. */
export interface LikeReply {
  success: true;
  order: Receipt;
}

/** POST /api/contact/submit, /api/feedback/submit, /api/issue/submit */
export interface FormReply {
  success: boolean;
  message?: string;
}
