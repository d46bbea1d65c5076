import type { z } from "zod";
import { AppError } from "@/lib/errors";
import type { InstagramPost } from "@/lib/instagram-link";
import { postDetailsQuery } from "@/lib/schemas/flow";
import { apiRoute } from "@/lib/server/api-route";
import { getEnv } from "@/lib/server/env";
import { getPostLookup } from "@/lib/server/posts";
import { findPost } from "@/lib/server/posts/find-post";
import type { Flow } from "@/lib/server/session";

export const GET = apiRoute(
  {
    name: "post-details",
    query: postDetailsQuery,
    burst: "postDetails",
    mayTakeLonger: () => getEnv().postLookup.kind === "sandbox",
  },
  async ({ query, readFlow, response }) => {
    const flow = await readFlow();
    const post = askedPost(query, flow);
    const details = await findPost(post, getPostLookup());
    const isFlowsPost = details.success && flow?.link.postId === post.postId;
    if (isFlowsPost && flow.post?.postId !== post.postId) {
      response.setFlow({ ...flow, post: { postId: post.postId, type: details.type } });
    }
    return details;
  },
);

/** By link, by code, or the flow's own. A code alone does not tell a reel from a post: the flow may know. */
function askedPost({ url, id }: z.output<typeof postDetailsQuery>, flow: Flow | null): InstagramPost {
  if (url) return url;
  const own = flow?.post ?? flow?.link;
  if (id !== undefined) return own?.postId === id ? own : { postId: id, type: "post" };
  if (!own) throw new AppError("flow_required");
  return own;
}
