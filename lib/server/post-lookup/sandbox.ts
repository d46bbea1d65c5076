import "server-only";
import type { LookupResult, PostLookup } from "./post-lookup";

const slowAnswerMs = 3_000;

/**
 * Sample posts for demos and tests: the beginning of the code decides the answer, so that each case can be repeated.
 * `PRIVATE…` is private, `MISSING…` does not exist, `NOIMAGE…` has only a limited preview, `SLOW…` answers late,
 * `ERROR…` fails as an unreachable provider does; any other code is a public sample.
 */
export function createSandboxLookup(): PostLookup {
  return {
    async find({ postId, type }): Promise<LookupResult> {
      if (postId.startsWith("PRIVATE")) return { status: "private" };
      if (postId.startsWith("MISSING")) return { status: "missing" };
      if (postId.startsWith("ERROR")) return { status: "unavailable", reason: "sandbox" };
      if (postId.startsWith("SLOW")) await new Promise((resolve) => setTimeout(resolve, slowAnswerMs));
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
