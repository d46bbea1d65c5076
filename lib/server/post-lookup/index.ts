import "server-only";
import type { Redis } from "@upstash/redis";
import { getEnv, type Env } from "@/lib/server/config/env";
import { getMeter } from "@/lib/server/metrics/meter";
import { getRedis } from "@/lib/server/redis/client";
import { createCoolOff } from "./cool-off";
import { createHttpLookup } from "./http";
import { createOembedLookup } from "./oembed";
import type { PostLookup } from "./post-lookup";
import { createSandboxLookup } from "./sandbox";

let shared: PostLookup | undefined;

/** Returns the lookup adapter that POST_LOOKUP selects. The adapter counts every lookup in the metrics. */
export function getPostLookup(): PostLookup {
  return (shared ??= withMetrics(getEnv().postLookup, createPostLookup(getEnv().postLookup, getRedis)));
}

/** Creates the lookup adapter for the settings. Calls `redis` only for "oembed", which needs Redis. */
export function createPostLookup(settings: Env["postLookup"], redis: () => Redis): PostLookup {
  switch (settings.kind) {
    case "sandbox":
      return createSandboxLookup();
    case "oembed":
      return createOembedLookup({ ...settings, coolOff: createCoolOff(redis()) });
    case "http":
      return createHttpLookup(settings);
  }
}

function withMetrics({ kind }: Env["postLookup"], lookup: PostLookup): PostLookup {
  return {
    async find(post) {
      const result = await lookup.find(post);
      getMeter()?.countLookup(kind, result.status);
      return result;
    },
  };
}
