import { z } from "zod";
import { fieldLimits } from "@/lib/config/limits";
import { isPostId, parseInstagramLink, type InstagramPost } from "@/lib/flow/instagram-link";

/** A pasted link, parsed: the same rule and words in the browser and in the API. */
export const instagramLink = z
  .string({ error: "Must be a valid URL" })
  .max(fieldLimits.link, "Must be a valid Instagram post or reel URL")
  .transform((text, context): InstagramPost => {
    const result = parseInstagramLink(text);
    if (result.ok) return result.post;
    context.addIssue({ code: "custom", message: result.message });
    return z.NEVER;
  });

/** POST /api/recaptcha/verify */
export const captchaBody = z.object({
  token: z.string({ error: "Required" }).min(1, "Required"),
  url: instagramLink.optional(),
});

/** GET /api/instagram/post-details: one of the two, or neither for the flow's own post. */
export const postDetailsQuery = z
  .object({
    url: instagramLink.optional(),
    id: z.string().refine(isPostId, "Must be a post's code").optional(),
  })
  .refine(({ url, id }) => url === undefined || id === undefined, "Give either url or id");

/** POST /api/instagram/like */
export const likeBody = z.object({ instagramUrl: instagramLink });

/** POST /api/404 */
export const notFoundBody = z.object({
  path: z.string({ error: "Required" }).startsWith("/", "Must be a path").max(2_000, "Too long"),
});
