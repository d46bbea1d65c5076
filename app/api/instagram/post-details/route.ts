import type { z } from "zod";
import { AppError } from "@/lib/http/errors";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { postDetailsQuery } from "@/lib/schemas/api-requests";
import { apiRoute } from "@/lib/server/http/api-route";
import { getEnv } from "@/lib/server/config/env";
import { getPostLookup } from "@/lib/server/post-lookup";
import { findPost, limitedPreview } from "@/lib/server/post-lookup/find-post";
import { countLookup } from "@/lib/server/post-lookup/lookup-limits";
import { getRedis } from "@/lib/server/redis/client";
import type { Flow } from "@/lib/server/identity/flow-cookie";

export const GET = apiRoute(
  {
    name: "post-details",
    query: postDetailsQuery,
    mayTakeLonger: () => getEnv().postLookup.kind === "sandbox",
  },
  async ({ query, visitor, readFlow, response }) => {
    const flow = await readFlow();
    if (!flow) throw new AppError("flow_required");
    const post = flowsPost(query, flow);
    const mayAsk = await countLookup(flow.id, visitor, getRedis(), getEnv().burstLimitScale);
    if (!mayAsk) return limitedPreview(flow.post);
    const details = await findPost(post, getPostLookup());
    if (details.success && flow.post === null) {
      response.setFlow({ ...flow, post: { postId: post.postId, type: details.type }, refusal: null });
    }
    if (!details.success) {
      // The page that is next says it.
      response.setFlow({ ...flow, refusal: details.code === "post_private" ? "private" : "missing" });
    }
    return details;
  },
);

/** The flow's own post, which is the only one that may be asked for: each lookup of another takes another human check. */
function flowsPost({ url, id }: z.output<typeof postDetailsQuery>, flow: Flow): InstagramPost {
  const own = flow.post ?? flow.link;
  const asked = url?.postId ?? id ?? own.postId;
  if (asked !== own.postId) throw new AppError("flow_required");
  return own;
}
