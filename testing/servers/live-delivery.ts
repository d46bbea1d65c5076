/** Secret of the webhook signatures. */
export const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

/** Returns the settings for delivery to a receiver with this secret. */
export function liveDelivery({ url }: { url: string }): Record<string, string> {
  return {
    LIKE_DELIVERY: "webhook",
    LIKE_WEBHOOK_URL: url,
    LIKE_WEBHOOK_SECRET: webhookSecret,
    LIKE_DELIVERY_ACKNOWLEDGED: "yes",
    OPERATOR_NAME: "Likes Example Ltd",
    OPERATOR_ADDRESS: "1 Example Street, 10115 Berlin, Germany",
  };
}
