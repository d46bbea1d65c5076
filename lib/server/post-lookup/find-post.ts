import "server-only";
import type { PostDetails, IneligiblePost } from "@/lib/schemas/api-responses";
import { AppError } from "@/lib/http/errors";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { getEnv } from "@/lib/server/config/env";
import { LoggableError } from "@/lib/server/log/log";
import type { PostLookup } from "./post-lookup";

/** Value of Retry-After in seconds, if the lookup result has no `retryAfterSeconds`. */
const defaultRetryAfterSeconds = 10;

const ineligibleReplies: Record<"private" | "missing", IneligiblePost> = {
  private: {
    success: false,
    code: "post_private",
    message: "This post appears to be from a private Instagram account.",
  },
  missing: {
    success: false,
    code: "post_missing",
    message: "We couldn't find this post. It may have been deleted, or its account may be private.",
  },
};

const isSample = () => getEnv().postLookup.kind === "sandbox";

/**
 * Returns a preview without a lookup, so without image and caption. `checked` is true if an earlier lookup of the flow
 * found that the post is public. Throws `flow_required` if `post` is null.
 */
export function limitedPreview(post: InstagramPost | null, checked: boolean): PostDetails {
  if (!post) throw new AppError("flow_required");
  const empty = { username: null, caption: null, imageUrl: null, note: true, sample: isSample() };
  return { success: true, ...post, ...empty, checked };
}

/** Returns a preview of a post, or the reason why the post cannot get likes. Throws if the lookup fails. */
export async function findPost(
  post: InstagramPost,
  lookup: PostLookup,
): Promise<PostDetails | IneligiblePost> {
  const result = await lookup.find(post);
  switch (result.status) {
    case "private":
    case "missing":
      return ineligibleReplies[result.status];
    case "unavailable":
      throw new AppError("lookup_unavailable", {
        retryAfterSeconds: result.retryAfterSeconds ?? defaultRetryAfterSeconds,
        cause: new LoggableError(`lookup: ${result.reason}`),
      });
    case "public":
      return {
        success: true,
        postId: post.postId,
        type: result.type,
        username: result.username,
        caption: result.caption,
        imageUrl: result.imageUrl,
        note: result.limited,
        checked: true,
        sample: isSample(),
      };
  }
}
