/** What the servers of these tests sign their calls with. */
export const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

/** The settings of live delivery to a receiver, which was started with the secret. */
export function liveDelivery({ url }: { url: string }): Record<string, string> {
  return {
    LIKE_DELIVERY: "webhook",
    LIKE_WEBHOOK_URL: url,
    LIKE_WEBHOOK_SECRET: webhookSecret,
    LIKE_DELIVERY_ACKNOWLEDGED: "yes",
  };
}
