import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import type * as Client from "./swr";

/* For tests, in place of ./swr: each provider has a cache of its own, so no test sees what another one read. */

const client = jest.requireActual<typeof Client>("./swr");

export const { useDailyUsage, useStatus, useStatusRequest, useStatusReset, usePostDetails, useExitFlow } =
  client;

export function SwrProvider({ children }: { children: ReactNode }) {
  return (
    <client.SwrProvider>
      <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
    </client.SwrProvider>
  );
}
