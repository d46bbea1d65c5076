import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "@upstash/redis";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import type { IneligiblePost, PostDetails } from "@/lib/schemas/api-responses";
import { AppError, errorTable } from "@/lib/http/errors";
import { pauseTimeout } from "@/lib/server/async/with-timeout";
import { getEnv, type Env } from "@/lib/server/config/env";
import { LoggableError } from "@/lib/server/log/log";
import { getMeter } from "@/lib/server/metrics/meter";
import { getRedis } from "@/lib/server/redis/client";
import { createHttpLookup } from "./http";
import { createOembedLookup } from "./oembed";
import type { PostLookup } from "./post-lookup";

/** Value of Retry-After in seconds, if the lookup result has no `retryAfterSeconds`. */
const defaultRetryAfterSeconds = 10;

/** Time of a slow response of the samples. */
const slowResponseMs = 3_000;

const reject = (code: IneligiblePost["code"], message: string): IneligiblePost => {
  return { success: false, code, message };
};

/** Replies for posts that cannot get likes. The operator blocks posts with `npm run ledger -- block`. */
export const ineligibleReplies = {
  private: reject("post_private", "This post appears to be from a private Instagram account."),
  missing: reject(
    "post_missing",
    "We couldn't find this post. It may have been deleted, or its account may be private.",
  ),
  blocked: reject("post_blocked", errorTable.post_blocked.message),
};

let shared: PostLookup | undefined;

const isSample = () => getEnv().postLookup.kind === "sandbox";

/** Creates the lookup adapter for the settings. Calls `redis` only for "oembed", which needs Redis. */
export function createPostLookup(settings: Env["postLookup"], redis: () => Redis): PostLookup {
  switch (settings.kind) {
    case "sandbox":
      return lookUpSample;
    case "oembed":
      return createOembedLookup(settings, redis());
    case "http":
      return createHttpLookup(settings);
  }
}

/**
 * Returns a preview without a lookup, so without image and caption. `checked` is true if an earlier lookup of the flow
 * found that the post is public. Throws `flow_required` if `post` is null.
 */
export function limitedPreview(post: InstagramPost | null, checked: boolean): PostDetails {
  if (!post) throw new AppError("flow_required");
  const empty = { username: null, caption: null, imageUrl: null, note: true, sample: isSample() };
  return { success: true, ...post, ...empty, checked };
}

/**
 * Returns a preview of a post, or the reason why the post cannot get likes. Uses the lookup adapter that POST_LOOKUP selects.
 * Throws if the lookup fails.
 */
export async function findPost(post: InstagramPost): Promise<PostDetails | IneligiblePost> {
  const { postLookup } = getEnv();
  const result = await (shared ??= createPostLookup(postLookup, getRedis))(post);
  getMeter()?.countLookup(postLookup.kind, result.status);
  switch (result.status) {
    case "private":
    case "missing":
      return ineligibleReplies[result.status];
    case "unavailable":
      throw new AppError("lookup_unavailable", {
        retryAfterSeconds: result.retryAfterSeconds ?? defaultRetryAfterSeconds,
        cause: new LoggableError(`lookup: ${result.reason}`),
      });
    case "public": {
      const { type, username, caption, imageUrl } = result;
      const preview = { postId: post.postId, type, username, caption, imageUrl, note: imageUrl === null };
      return { success: true, ...preview, checked: true, sample: isSample() };
    }
  }
}

/**
 * Returns sample posts and calls no service. The start of the post code selects the result: `PRIVATE`, `MISSING`,
 * `NOIMAGE` (preview without image), `SLOW` (response after 3 s) or `ERROR` (failed lookup). Any other code is a public post.
 */
const lookUpSample: PostLookup = async ({ postId, type }) => {
  if (postId.startsWith("PRIVATE")) return { status: "private" };
  if (postId.startsWith("MISSING")) return { status: "missing" };
  if (postId.startsWith("ERROR")) return { status: "unavailable", reason: "sandbox" };
  if (postId.startsWith("SLOW")) await pauseTimeout(() => pause(slowResponseMs));
  if (postId.startsWith("NOIMAGE"))
    return { status: "public", type, username: null, caption: null, imageUrl: null };
  const caption = "Sample caption: this is not a real post.";
  return { status: "public", type, username: "sample_account", caption, imageUrl: `/samples/${type}.svg` };
};
