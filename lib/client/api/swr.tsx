import type { ReactNode } from "react";
import { useCallback, useEffect } from "react";
import useSWR, { SWRConfig, useSWRConfig, type SWRConfiguration } from "swr";
import type { DailyUsageReply, PostDetails, IneligiblePost, StatusReply } from "@/lib/http/api-responses";
import { pages } from "@/lib/http/routes";
import { onOrderBroadcast } from "@/lib/client/browser/broadcast";
import { getJson } from "./fetch-json";
import { getFingerprint } from "./fingerprint";
import { clearFlowValues } from "@/lib/client/browser/flow-storage";
import { goTo } from "@/lib/client/browser/navigate";
import { recordServerTime } from "./server-clock";

const dailyUsagePath = "/api/instagram/daily-usage";
const statusPath = "/api/instagram/status";
const postDetailsPath = "/api/instagram/post-details";

const firstRetryMs = 1_000;

/** Data is read once and stays; whoever wants it otherwise says so where it reads it. */
const defaults: SWRConfiguration = {
  fetcher: (path: string) => getJson(path),
  refreshInterval: 0,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
};

/** Gives the screens below it the data defaults. */
export function SwrProvider({ children }: { children: ReactNode }) {
  return <SWRConfig value={defaults}>{children}</SWRConfig>;
}

/** Today's like budget, asked for again and again, after a failure too. */
export function useDailyUsage(intervalMs: number) {
  return useSWR<DailyUsageReply>(dailyUsagePath, {
    refreshInterval: intervalMs,
    // SWR stops asking at a failure: this is the next question of the interval, not a retry.
    shouldRetryOnError: true,
    onErrorRetry: (_error, _key, _config, revalidate, options) => {
      setTimeout(() => void revalidate(options), intervalMs);
    },
  });
}

/** Whether this visitor can request likes now; asked again when the window gets the focus or another tab ordered. */
export function useStatus(enabled: boolean) {
  const status = useSWR<StatusReply>(enabled ? statusPath : null, fetchStatus, { revalidateOnFocus: true });
  const { mutate } = status;
  useEffect(() => (enabled ? onOrderBroadcast(() => void mutate()) : undefined), [enabled, mutate]);
  return status;
}

/** Asks for the status now and hands the answer to every `useStatus`. */
export function useStatusRequest(): () => Promise<StatusReply> {
  const { mutate } = useSWRConfig();
  return useCallback(async () => {
    const status = await fetchStatus();
    await mutate(statusPath, status, { revalidate: false });
    return status;
  }, [mutate]);
}

/** Forgets the status: who shows it asks at once, and who comes to show it asks then. */
export function useStatusReset(): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => void mutate(statusPath, undefined), [mutate]);
}

/**
 * What is known of the flow's post, asked for once in a page view. A post that cannot get likes is an answer, not an error.
 *
 * @param known what a step before has found, which is not asked for again; undefined as long as that is not clear
 */
export function usePostDetails(known: PostDetails | null | undefined) {
  const key = known === undefined ? null : postDetailsPath;
  return useSWR<PostDetails | IneligiblePost>(key, fetchTwice, { fallbackData: known ?? undefined });
}

/**
 * The way out of the flow: forgets what was read and what the steps stored, and opens the home page. It is forgotten
 * as the page goes, so that the screen does not change under the visitor's eyes before that.
 */
export function useExitFlow(): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => {
    const forget = () => {
      clearFlowValues();
      void mutate((key) => key !== dailyUsagePath, undefined, { revalidate: false });
    };
    window.addEventListener("pagehide", forget, { once: true });
    goTo(pages.home.path);
  }, [mutate]);
}

async function fetchStatus(): Promise<StatusReply> {
  const status = await getJson<StatusReply>(statusPath, { fingerprint: await getFingerprint() });
  recordServerTime(status.serverTime);
  return status;
}

/** Within the fetcher, so that a screen shows the error only when the retry failed as well. */
async function fetchTwice(path: string): Promise<PostDetails | IneligiblePost> {
  try {
    return await getJson(path);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, firstRetryMs));
    return getJson(path);
  }
}
