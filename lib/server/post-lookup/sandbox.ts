import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { pauseTimeout } from "@/lib/server/async/with-timeout";
import type { LookupResult, PostLookup } from "./post-lookup";

const slowResponseMs = 3_000;

/**
 * Creates the adapter that returns sample posts and calls no service. The start of the post code selects the
 * result: `PRIVATE`, `MISSING`, `NOIMAGE` (preview without image), `SLOW` (response after 3 s) or `ERROR`
 * (failed lookup). Any other code is a public post.
 */
export function createSandboxLookup(): PostLookup {
  return {
    async find({ postId, type }): Promise<LookupResult> {
      if (postId.startsWith("PRIVATE")) return { status: "private" };
      if (postId.startsWith("MISSING")) return { status: "missing" };
      if (postId.startsWith("ERROR")) return { status: "unavailable", reason: "sandbox" };
      if (postId.startsWith("SLOW")) await pauseTimeout(() => pause(slowResponseMs));
      const limited = postId.startsWith("NOIMAGE");
      return {
        status: "public",
        type,
        username: limited ? null : "sample_account",
        caption: limited ? null : "Sample caption: this is not a real post.",
        imageUrl: limited ? null : `/samples/${type}.svg`,
        limited,
      };
    },
  };
}
