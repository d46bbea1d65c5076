import useSWR, { mutate, type SWRConfiguration } from "swr";
import type {
  DailyUsageReply,
  IneligiblePost,
  PostDetails,
  ReceiptReply,
  StatusReply,
} from "@/lib/schemas/api-responses";
import { isDailyUsageReply, isPostReply, isReceiptReply, isStatusReply } from "@/lib/client/browser/shapes";
import { getJson } from "./api-client";
import { getFingerprint } from "./fingerprint";
import { readLastOrder } from "@/lib/client/browser/last-order";
import { recordServerTime, serverNow } from "@/lib/client/browser/server-clock";

const dailyUsagePath = "/api/instagram/daily-usage";
const statusPath = "/api/instagram/status";
const receiptPath = "/api/instagram/receipt";

const retryDelayMs = 1_000;
/** Maximum age of a /daily-usage response in a shared cache, in milliseconds (see its Cache-Control header). */
const sharedCacheMs = 15_000;

/** Calls useSWR without automatic updates. By default, sends one request for each path. */
function useApi<Reply>(path: string | null, options: SWRConfiguration<Reply>) {
  return useSWR<Reply>(path, {
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    revalidateIfStale: false,
    shouldRetryOnError: false,
    // Otherwise SWR stops after the event "offline", which some VPNs cause although requests succeed.
    isOnline: () => true,
    ...options,
  });
}

/** Returns how many likes are used today. Requests the number every `intervalMs`, also after an error. */
export function useDailyUsage(intervalMs: number) {
  return useApi<DailyUsageReply>(dailyUsagePath, {
    fetcher: fetchDailyUsage,
    refreshInterval: intervalMs,
    // SWR stops polling after an error, so this handler schedules the next poll.
    shouldRetryOnError: true,
    onErrorRetry: (_error, _key, _config, revalidate, options) => {
      setTimeout(() => void revalidate(options), intervalMs);
    },
  });
}

/** Returns the visitor's status. Requests the status again when the window gets focus. */
export function useStatus(enabled: boolean) {
  return useApi<StatusReply>(enabled ? statusPath : null, { fetcher: fetchStatus, revalidateOnFocus: true });
}

/** Requests the status for all that call `useStatus`. Returns false during a wait, and if the request fails. */
export async function canRequest(): Promise<boolean> {
  const status = await fetchStatus().catch(() => null);
  if (status) await mutate(statusPath, status, { revalidate: false });
  // Otherwise the page would show an earlier status, by which the visitor can send.
  else forgetStatus();
  return status?.canRequest ?? false;
}

/** Clears the cached status. Components that call `useStatus` request it again. */
export function forgetStatus(): void {
  void mutate(statusPath, undefined);
}

/** Returns `known`. If `known` is null, requests the post from the API. If undefined, requests nothing. */
export function usePostDetails(known: PostDetails | null | undefined) {
  return useApi<PostDetails | IneligiblePost>(known === undefined ? null : "/api/instagram/post-details", {
    fetcher: fetchPost,
    fallbackData: known ?? undefined,
  });
}

/** Returns the receipt of the accepted order. */
export function useReceipt() {
  return useApi<ReceiptReply>(receiptPath, { fetcher: fetchReceipt });
}

/** Requests the receipt of the accepted order. Throws ApiError, also if the flow has ended. */
export function fetchReceipt(): Promise<ReceiptReply> {
  return getJson(receiptPath, { accepts: isReceiptReply });
}

async function fetchStatus(): Promise<StatusReply> {
  const fingerprint = await getFingerprint();
  const status = await getJson<StatusReply>(statusPath, { fingerprint, accepts: isStatusReply });
  recordServerTime(Date.parse(status.serverTime));
  return status;
}

/** Requests today's usage. If a shared cache sends older usage, returns the usage stored after the order. */
async function fetchDailyUsage(): Promise<DailyUsageReply> {
  const usage = await getJson<DailyUsageReply>(dailyUsagePath, { accepts: isDailyUsageReply });
  const { dailyLimit, storedAt = 0 } = readLastOrder() ?? {};
  const isNewer =
    dailyLimit?.resetsAt === usage.dailyLimit.resetsAt && dailyLimit.likesUsed > usage.dailyLimit.likesUsed;
  return isNewer && serverNow() - storedAt < sharedCacheMs ? { success: true, dailyLimit } : usage;
}

/** Repeats a failed request once, so that SWR reports an error only when both requests fail. */
async function fetchPost(path: string): Promise<PostDetails | IneligiblePost> {
  const request = () => getJson<PostDetails | IneligiblePost>(path, { accepts: isPostReply });
  try {
    return await request();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    return request();
  }
}
