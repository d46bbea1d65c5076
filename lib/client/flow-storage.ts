import { useSyncExternalStore } from "react";
import type { PostDetails } from "@/lib/api-types";

/*
 * What one step hands to the next within a tab, for display and for the calls only: who may do what is decided by
 * the server's sealed cookie.
 */

const prefix = "flow.";

/**
 * `link`: the canonical link of step 1. `postId`: the post that was found public; `post`: what is known of it, as JSON.
 * `attempt`: the Idempotency-Key of the request for likes.
 */
export type FlowValue = "link" | "postId" | "post" | "attempt";

/** Keeps what step 2 found, so that the next steps need not ask again. */
export function writeFoundPost(post: PostDetails): void {
  writeFlowValue("postId", post.postId);
  writeFlowValue("post", JSON.stringify(post));
}

/** What step 2 found of this post; undefined when it was another one, or nothing is stored. */
export function readFoundPost(postId: string): PostDetails | undefined {
  const stored = readFlowValue("post");
  const post = stored === null ? undefined : (JSON.parse(stored) as PostDetails);
  return post?.postId === postId ? post : undefined;
}

export function writeFlowValue(name: FlowValue, value: string): void {
  try {
    sessionStorage.setItem(prefix + name, value);
  } catch {
    // Storage is blocked: the next step says that it misses the value.
  }
}

export function readFlowValue(name: FlowValue): string | null {
  try {
    return sessionStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/** Forgets everything the steps have stored in this tab. */
export function clearFlowValues(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing could be stored either.
  }
}

/** A stored value; undefined while the server's HTML is being taken over, null when there is none. */
export function useFlowValue(name: FlowValue): string | null | undefined {
  return useSyncExternalStore(
    subscribeToNothing,
    () => readFlowValue(name),
    () => undefined,
  );
}

function subscribeToNothing(): () => void {
  return () => {};
}
