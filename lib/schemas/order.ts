import { z } from "zod";

/* What the server alone checks at run time; the browser knows the types (lib/api-types.ts). */

export const postTypeShape = z.enum(["post", "reel"]);

export const postShape = z.object({ postId: z.string(), type: postTypeShape });

/** What a visitor gets for an accepted order. */
export const receiptShape = postShape.extend({
  /** Short, for the eye and for support. */
  reference: z.string(),
  likes: z.number(),
  acceptedAt: z.string(),
  /** When the cooldown is over. */
  nextAvailable: z.string(),
});
