import "server-only";
import { createHash } from "node:crypto";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Matches the id of an order: three groups of four letters of Crockford's alphabet. */
export const orderIdPattern = /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}$/;

/**
 * The id of the n-th order that a captcha check may become: 60 bits of the hash of the flow's random id, short enough to
 * read out to support.
 */
export function orderId(flowId: string, n: number): string {
  const hash = createHash("sha256").update(`order ${n} ${flowId}`).digest();
  const letters = Array.from(hash.subarray(0, 12), (byte) => alphabet[byte % alphabet.length]).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}
