import "server-only";
import type { PostDetails, IneligiblePost } from "@/lib/http/api-responses";
import { AppError } from "@/lib/http/errors";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { LoggableError } from "@/lib/server/ops/log";
import type { PostLookup } from "./post-lookup";

/** Seconds that a visitor is told to wait when the provider does not say more. */
const defaultRetryAfterSeconds = 10;

const refusals: Record<"private" | "missing", IneligiblePost> = {
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

/**
 * What is known of a flow's post without asking again: that it was found public. Throws `flow_required` for one of which
 * not even that is known: its flow has to begin again.
 */
export function limitedPreview(post: InstagramPost | null): PostDetails {
  if (!post) throw new AppError("flow_required");
  return { success: true, ...post, username: null, caption: null, imageUrl: null, note: true };
}

/** The reply of post-details: what can be shown of a public post, or why it cannot get likes. Throws `lookup_unavailable`. */
export async function findPost(
  post: InstagramPost,
  lookup: PostLookup,
): Promise<PostDetails | IneligiblePost> {
  const result = await lookup.find(post);
  switch (result.status) {
    case "private":
    case "missing":
      return refusals[result.status];
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
      };
  }
}
