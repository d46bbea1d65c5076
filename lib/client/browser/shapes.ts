import type {
  CaptchaReply,
  DailyLimit,
  DailyUsageReply,
  IneligiblePost,
  LikeReply,
  PostDetails,
  Receipt,
  ReceiptReply,
  StatusReply,
} from "@/lib/schemas/api-responses";

/*
 * Checks of values that come from the API or from the browser's storage. The pages of the flow do not load zod,
 * because zod is large.
 */

export type Check = (value: unknown) => boolean;

/** Creates a check for objects. Each field of `T` must pass its own check. */
export function object<T>(fields: Required<{ [Name in keyof T]: Check }>): Check {
  const checks = Object.entries<Check>(fields);
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    checks.every(([name, check]) => check((value as Record<string, unknown>)[name]));
}

const text: Check = (value) => typeof value === "string";
export const count: Check = (value) => Number.isFinite(value);
const flag: Check = (value) => typeof value === "boolean";
export const date: Check = (value) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const success: Check = (value) => value === true;
const postType: Check = (value) => value === "post" || value === "reel";
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const isPostDetails = object<PostDetails>({
  success,
  postId: text,
  type: postType,
  username: orNull(text),
  caption: orNull(text),
  imageUrl: orNull(text),
  note: flag,
  checked: flag,
  sample: flag,
});

const isIneligiblePost = object<Pick<IneligiblePost, "success" | "message">>({
  success: (value) => value === false,
  message: text,
});

/** Returns true for post details, and for an object with the reason why a post cannot get likes. */
export const isPostReply: Check = (value) => isPostDetails(value) || isIneligiblePost(value);

export const isCaptchaReply = object<Pick<CaptchaReply, "success">>({ success });

const isReceipt = object<Receipt>({
  postId: text,
  type: postType,
  reference: text,
  likes: count,
  acceptedAt: date,
  nextAvailable: date,
});

export const isDailyLimit = object<DailyLimit>({
  percentUsed: count,
  likesRemaining: count,
  likesUsed: count,
  totalLimit: count,
  reached: flag,
  secondsUntilReset: count,
  resetsAt: date,
});

export const isDailyUsageReply = object<DailyUsageReply>({ success, dailyLimit: isDailyLimit });

export const isLikeReply = object<LikeReply>({
  success,
  order: isReceipt,
  dailyLimit: (value) => value === undefined || isDailyLimit(value),
});

export const isReceiptReply = object<ReceiptReply>({ success, order: orNull(isReceipt) });

/** Does not check `timeLeft`, because no page uses it. */
export const isStatusReply = object<Omit<StatusReply, "timeLeft">>({
  canRequest: flag,
  nextAvailable: orNull(date),
  serverTime: date,
  reason: orNull(text),
  pending: flag,
});
