import type { InstagramPost } from "@/lib/instagram-link";
import { postDetailsQuery } from "@/lib/schemas/flow";
import { apiRoute } from "@/lib/server/api-route";
import { getEnv } from "@/lib/server/env";
import { getPostLookup } from "@/lib/server/posts";
import { findPost } from "@/lib/server/posts/find-post";

export const GET = apiRoute(
  {
    name: "post-details",
    query: postDetailsQuery,
    burst: "postDetails",
    mayTakeLonger: () => getEnv().postLookup.kind === "sandbox",
  },
  async ({ query, readFlow, response }) => {
    const flow = await readFlow();
    const known = [flow?.post, flow?.link].find((post) => post?.postId === query.id);
    const post: InstagramPost = query.url ?? { postId: query.id ?? "", type: known?.type ?? "post" };
    const details = await findPost(post, getPostLookup());
    const isFlowsPost = details.success && flow?.link.postId === post.postId;
    if (isFlowsPost && flow.post?.postId !== post.postId) {
      response.setFlow({ ...flow, post: { postId: post.postId, type: details.type } });
    }
    return details;
  },
);
