import "server-only";
import { getEnv, type Env } from "../env";
import { getRedis } from "../redis/client";
import { createCoolOff } from "./cool-off";
import { createHttpLookup } from "./http";
import { createOembedLookup } from "./oembed";
import type { PostLookup } from "./post-lookup";
import { createSandboxLookup } from "./sandbox";

let shared: PostLookup | undefined;

/** The configured post lookup. */
export function getPostLookup(): PostLookup {
  return (shared ??= createPostLookup(getEnv().postLookup));
}

function createPostLookup(settings: Env["postLookup"]): PostLookup {
  switch (settings.kind) {
    case "sandbox":
      return createSandboxLookup();
    case "oembed":
      return createOembedLookup({ ...settings, coolOff: createCoolOff(getRedis()) });
    case "http":
      return createHttpLookup(settings);
  }
}
