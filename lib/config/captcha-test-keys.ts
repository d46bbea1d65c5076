/** Public test keys of Google and Cloudflare. With a test key, the captcha result is always the same. */
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

/** Returns true if `key` is a public test site key. Test keys give no protection. */
export function isTestSiteKey(key = ""): boolean {
  return siteKeys.has(key);
}

/** Returns true if `key` is a public test secret key. Test keys give no protection. */
export function isTestSecretKey(key = ""): boolean {
  return secretKeys.has(key);
}
