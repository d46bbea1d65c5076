import { useMemo } from "react";
import type { PostDetails, Receipt } from "@/lib/http/api-responses";
import { useBrowserValue } from "@/lib/client/hooks/use-browser-value";

/*
 * Values that a tab stores while the visitor goes from the link form to the receipt (flow). The pages also
 * work without these values, because the server reads only the flow cookie.
 */

const prefix = "flow.";

/**
 * `post`: post details from step 2, as JSON. `attempt`: Idempotency-Key of the request for likes. `receipt`: receipt
 * of the accepted order, as JSON.
 */
export type FlowStorageKey = "post" | "attempt" | "receipt";

/** Stores a flow value for this tab. Does nothing when storage is blocked. */
export function writeFlowValue(name: FlowStorageKey, value: string): void {
  try {
    sessionStorage.setItem(prefix + name, value);
  } catch {
    // The pages also work without stored values.
  }
}

/** Returns a flow value of this tab. Returns null if no value is stored. */
export function readFlowValue(name: FlowStorageKey): string | null {
  try {
    return sessionStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/** Removes all flow values of this tab. */
export function clearFlowValues(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
  } catch {
    // Blocked storage contains no values to remove.
  }
}

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isPostType = (value: unknown) => value === "post" || value === "reel";

/** Checks for each field of a stored object. These pages do not load zod, because zod is large. */
type Checks<T> = Required<{ [Name in keyof T]: (value: unknown) => boolean }>;

const postChecks: Checks<PostDetails> = {
  success: (value) => value === true,
  postId: isText,
  type: isPostType,
  username: isTextOrNull,
  caption: isTextOrNull,
  imageUrl: isTextOrNull,
  note: (value) => typeof value === "boolean",
};

const receiptChecks: Checks<Receipt> = {
  postId: isText,
  type: isPostType,
  reference: isText,
  likes: (value) => typeof value === "number",
  acceptedAt: isText,
  nextAvailable: isText,
};

/** Returns the post details from step 2. Returns null if none are stored, and undefined during hydration. */
export function useStoredPost(): PostDetails | null | undefined {
  return useStored<PostDetails>("post", postChecks);
}

/** Returns the receipt of the accepted order. Returns null if none is stored, and undefined during hydration. */
export function useStoredReceipt(): Receipt | null | undefined {
  return useStored<Receipt>("receipt", receiptChecks);
}

function useStored<T>(name: FlowStorageKey, checks: Checks<T>): T | null | undefined {
  const stored = useBrowserValue(() => readFlowValue(name), undefined);
  return useMemo(() => stored && parseStored(stored, checks), [stored, checks]) as T | null | undefined;
}

/** Parses a stored object. Returns null if the text is damaged, or if a field has another type. */
function parseStored<T>(text: string, checks: Checks<T>): T | null {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    const fields = Object.entries<(value: unknown) => boolean>(checks);
    return value !== null && fields.every(([name, check]) => check(value[name])) ? (value as T) : null;
  } catch {
    return null;
  }
}
