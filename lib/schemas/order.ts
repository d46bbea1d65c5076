import { z } from "zod";

/* What the server alone checks at run time; the browser knows the types (lib/http/api-responses.ts). */

export const postTypeSchema = z.enum(["post", "reel"]);

export const postSchema = z.object({ postId: z.string(), type: postTypeSchema });

/** What a visitor gets for an accepted order. */
export const receiptSchema = postSchema.extend({
  /** Short, for the eye and for support. */
  reference: z.string(),
  likes: z.number(),
  acceptedAt: z.string(),
  /** When the cooldown is over. */
  nextAvailable: z.string(),
});
