import type { ReactNode } from "react";
import { useCallback, useEffect } from "react";
import useSWR, { SWRConfig, useSWRConfig, type SWRConfiguration } from "swr";
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
const postDetailsPath = "/api/instagram/post-details";
const receiptPath = "/api/instagram/receipt";

const retryDelayMs = 1_000;

/** Default SWR options: one request per key, without automatic updates. Some hooks change these options. */
const defaults: SWRConfiguration = {
  fetcher: (path: string) => getJson(path),
  refreshInterval: 0,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
};

/** Provides the default options to all SWR hooks in `children`. */
export function SwrProvider({ children }: { children: ReactNode }) {
  return <SWRConfig value={defaults}>{children}</SWRConfig>;
}

/** Returns how many likes are used today. Requests the number every `intervalMs`, also after an error. */
export function useDailyUsage(intervalMs: number) {
  return useSWR<DailyUsageReply>(dailyUsagePath, {
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
  const status = useSWR<StatusReply>(enabled ? statusPath : null, fetchStatus, { revalidateOnFocus: true });
  const { mutate } = status;
  useEffect(() => (enabled ? onOrderBroadcast(() => void mutate()) : undefined), [enabled, mutate]);
  return status;
}

/** Returns a function that requests the status and updates all components that call `useStatus`. */
export function useStatusRequest(): () => Promise<StatusReply> {
  const { mutate } = useSWRConfig();
  return useCallback(async () => {
    const status = await fetchStatus();
    await mutate(statusPath, status, { revalidate: false });
    return status;
  }, [mutate]);
}

/** Returns a function that clears the cached status. Components with `useStatus` request a new status. */
export function useStatusReset(): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => void mutate(statusPath, undefined), [mutate]);
}

/** Returns the visitor's post. Requests the post only if `known` is null. Waits if `known` is undefined. */
export function usePostDetails(known: PostDetails | null | undefined) {
  const key = known === undefined ? null : postDetailsPath;
  return useSWR<PostDetails | IneligiblePost>(key, fetchWithRetry, { fallbackData: known ?? undefined });
}

/** Returns the receipt of the accepted order. Fails with status 404 if the visitor has no accepted order. */
export function useReceipt() {
  return useSWR<LikeReply>(receiptPath);
}

/** Returns a function that opens the home page and clears the data of this tab. */
export function useExitFlow(): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => {
    const clearFlowData = () => {
      clearFlowValues();
      void mutate((key) => key !== dailyUsagePath, undefined, { revalidate: false });
    };
    // Clears the data on pagehide, so that the visible page does not change before the home page opens.
    window.addEventListener("pagehide", clearFlowData, { once: true });
    goTo(pages.home.path);
  }, [mutate]);
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
