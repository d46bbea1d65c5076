import type { z } from "zod";
import { AppError } from "@/lib/http/errors";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import { postDetailsQuery } from "@/lib/flow/api-requests";
import { apiRoute } from "@/lib/server/http/api-route";
import { countLookup } from "@/lib/server/http/rate-limits";
import { blockedKey } from "@/lib/server/likes/script-runner";
import { findPost, ineligibleReplies, limitedPreview } from "@/lib/server/post-lookup";
import { markRefusal, readFlow, writeFlow, type Flow } from "@/lib/server/cookies/flow-cookie";

/** Returns a preview of the post in the flow cookies, or the reason why the post cannot get likes. */
export const GET = apiRoute(
  { name: "post-details", query: postDetailsQuery },
  async ({ request, query, visitor, response }) => {
    const flow = await readFlow(request);
    if (!flow) throw new AppError("flow_required");
    const post = readFlowPost(query, flow);
    const count = await countLookup(flow.id, visitor, blockedKey(post.postId));
    if (count === "blocked") return ineligibleReplies.blocked;
    if (count === "flow used up") return limitedPreview(flow.post, flow.checked);
    // Visitors do not pay for others in their network: the delivery service still sees whether the post is public.
    const details = count === "allowed" ? await findPost(post) : limitedPreview(post, flow.checked);
    if (details.success && (flow.post === null || flow.checked !== details.checked)) {
      const { type, checked } = details;
      await writeFlow(response, { ...flow, post: { postId: post.postId, type }, checked });
    }
    if (!details.success) {
      if (flow.checked) await writeFlow(response, { ...flow, checked: false });
      markRefusal(response.headers, flow, details.code === "post_private" ? "private" : "missing");
    }
    return details;
  },
);

/** Returns the post in the flow cookies. Throws for other posts, because each post needs a captcha check. */
function readFlowPost({ url, id }: z.output<typeof postDetailsQuery>, flow: Flow): InstagramPost {
  const flowPost = flow.post ?? flow.link;
  const requestedId = url?.postId ?? id ?? flowPost.postId;
  if (requestedId !== flowPost.postId) throw new AppError("flow_required");
  return flowPost;
}
