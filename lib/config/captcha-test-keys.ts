/**
 * The public test keys of Google and Cloudflare, by their documentation. With them every check ends as the key says,
 * whoever asks; their answers name hosts of the provider's own.
 */
const siteKeys = new Set([
  "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
  "1x00000000000000000000AA",
  "2x00000000000000000000AB",
  "1x00000000000000000000BB",
  "2x00000000000000000000BB",
  "3x00000000000000000000FF",
]);
const secretKeys = new Set([
  "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
  "1x0000000000000000000000000000000AA",
  "2x0000000000000000000000000000000AA",
  "3x0000000000000000000000000000000AA",
]);

/** Whether a site key checks nobody. */
export function isTestSiteKey(key: string): boolean {
  return siteKeys.has(key);
}

/** Whether a secret key proves nothing. */
export function isTestSecretKey(key: string): boolean {
  return secretKeys.has(key);
}
