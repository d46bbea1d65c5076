import { z } from "zod";
import { postTypeSchema } from "./api-responses";

/** Matches an order id such as 7K3M-0Q2X-9ZTB. Order ids have no I, L, O or U (Crockford's Base32). */
export const orderIdPattern = /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}$/;

/** Body of the webhook of an order. `npm run order-schema` writes docs/order.schema.json from it. */
export const orderMessageSchema = z
  .object({
    type: z.literal("likes.requested"),
    timestamp: z.iso.datetime().describe("Time of this attempt, in UTC."),
    data: z.object({
      orderId: z.string().regex(orderIdPattern).describe("Always the header webhook-id: an idempotency key."),
      postId: z.string().regex(/^[A-Za-z0-9_-]{1,39}$/),
      postType: postTypeSchema.describe("Videos (/tv/) are posts."),
      postUrl: z.string().regex(/^https:\/\/www\.instagram\.com\/p\/[A-Za-z0-9_-]{1,39}\/$/),
      likes: z.int().min(1),
    }),
  })
  .describe("Body of an order. Ignore fields that you do not know.");

export type OrderMessage = z.output<typeof orderMessageSchema>;
