import { z } from "zod";
import { isPostId, parseInstagramLink, type InstagramPost } from "./instagram-link";

/** Parses a pasted text into a post. The link form in the browser shows the same error messages. */
const instagramLinkSchema = z
  .string({ error: "Must be a valid URL" })
  .transform((text, context): InstagramPost => {
    const result = parseInstagramLink(text);
    if (result.ok) return result.post;
    context.addIssue({ code: "custom", message: result.message });
    return z.NEVER;
  });

/** Request body of POST /api/recaptcha/verify. */
export const captchaBody = z.object({
  token: z.string({ error: "Required" }).min(1, "Required"),
  url: instagramLinkSchema.optional(),
});

/** Query of GET /api/instagram/post-details. By default, the route returns the post in the flow cookies. */
export const postDetailsQuery = z
  .object({
    url: instagramLinkSchema.optional(),
    id: z.string().refine(isPostId, "Must be a post's code").optional(),
  })
  .refine(({ url, id }) => url === undefined || id === undefined, "Give either url or id");

/** Request body of POST /api/instagram/like. */
export const likeBody = z.object({ instagramUrl: instagramLinkSchema });

/** Request body of POST /api/404. Browsers report paths that have no page. */
export const notFoundBody = z.object({
  path: z.string({ error: "Required" }).startsWith("/", "Must be a path").max(2_000, "Too long"),
});
