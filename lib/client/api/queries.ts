import { useEffect } from "react";
import useSWR, { mutate, type SWRConfiguration } from "swr";
import type {
  DailyUsageReply,
  IneligiblePost,
  LikeReply,
  PostDetails,
  StatusReply,
} from "@/lib/http/api-responses";
import { pages } from "@/lib/http/pages";
import { onOrderBroadcast } from "@/lib/client/browser/broadcast";
import { getJson } from "./fetch-json";
import { getFingerprint } from "./fingerprint";
import { clearFlowValues } from "@/lib/client/browser/flow-storage";
import { goTo } from "@/lib/client/browser/navigate";
import { recordServerTime } from "./server-clock";

const dailyUsagePath = "/api/instagram/daily-usage";
const statusPath = "/api/instagram/status";

const retryDelayMs = 1_000;

/** Calls useSWR with other defaults: one request per path, without automatic updates. */
function useApi<Reply>(path: string | null, options?: SWRConfiguration<Reply>) {
  return useSWR<Reply>(path, {
    fetcher: (url: string) => getJson<Reply>(url),
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    revalidateIfStale: false,
    shouldRetryOnError: false,
    ...options,
  });
}

/** Returns how many likes are used today. Requests the number every `intervalMs`, also after an error. */
export function useDailyUsage(intervalMs: number) {
  return useApi<DailyUsageReply>(dailyUsagePath, {
    refreshInterval: intervalMs,
    // SWR stops polling after an error, so this handler schedules the next poll.
    shouldRetryOnError: true,
    onErrorRetry: (_error, _key, _config, revalidate, options) => {
      setTimeout(() => void revalidate(options), intervalMs);
    },
  });
}

/**
 * Returns the visitor's status. Requests the status again when the window gets focus, and when another tab
 * broadcasts an accepted order.
 */
export function useStatus(enabled: boolean) {
  const status = useApi<StatusReply>(enabled ? statusPath : null, {
    fetcher: fetchStatus,
    revalidateOnFocus: true,
  });
  const { mutate: update } = status;
  useEffect(() => (enabled ? onOrderBroadcast(() => void update()) : undefined), [enabled, update]);
  return status;
}

/** Requests the status and updates all components that call `useStatus`. */
export async function requestStatus(): Promise<StatusReply> {
  const status = await fetchStatus();
  await mutate(statusPath, status, { revalidate: false });
  return status;
}

/** Clears the cached status. Components with `useStatus` request a new status. */
export function resetStatus(): void {
  void mutate(statusPath, undefined);
}

/** Returns the visitor's post. Requests the post only if `known` is null. Waits if `known` is undefined. */
export function usePostDetails(known: PostDetails | null | undefined) {
  return useApi<PostDetails | IneligiblePost>(known === undefined ? null : "/api/instagram/post-details", {
    fetcher: fetchWithRetry,
    fallbackData: known ?? undefined,
  });
}

/** Returns the receipt of the accepted order. Fails with status 404 if the visitor has no accepted order. */
export function useReceipt() {
  return useApi<LikeReply>("/api/instagram/receipt");
}

/** Opens the home page and clears the data of this tab. */
export function exitFlow(): void {
  const clearFlowData = () => {
    clearFlowValues();
    void mutate((key) => key !== dailyUsagePath, undefined, { revalidate: false });
  };
  // Clears the data on pagehide, so that the visible page does not change before the home page opens.
  window.addEventListener("pagehide", clearFlowData, { once: true });
  goTo(pages.home.path);
}

async function fetchStatus(): Promise<StatusReply> {
  const status = await getJson<StatusReply>(statusPath, { fingerprint: await getFingerprint() });
  recordServerTime(status.serverTime);
  return status;
}

/** Repeats a failed request once, so that SWR reports an error only when both requests fail. */
async function fetchWithRetry(path: string): Promise<PostDetails | IneligiblePost> {
  try {
    return await getJson(path);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    return getJson(path);
  }
}
