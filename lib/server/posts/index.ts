import "server-only";
import type { PostLookup } from "./post-lookup";
import { createSandboxLookup } from "./sandbox";

let shared: PostLookup | undefined;

/** The configured post lookup. */
export function getPostLookup(): PostLookup {
  return (shared ??= createSandboxLookup());
}
