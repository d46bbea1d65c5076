import { z } from "zod";

/* Only the server uses these schemas. The browser uses the types in lib/http/api-responses.ts. */

export const postTypeSchema = z.enum(["post", "reel"]);

export const postSchema = z.object({ postId: z.string(), type: postTypeSchema });

export const receiptSchema = postSchema.extend({
  /** Short reference for support requests. */
  reference: z.string(),
  likes: z.number(),
  acceptedAt: z.string(),
  /** End of the cooldown, as an ISO date-time. */
  nextAvailable: z.string(),
});
