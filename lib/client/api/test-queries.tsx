import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import type * as Client from "./queries";

/* Mock of ./swr for tests. Each SwrProvider has its own cache, so that tests do not share data. */

const client = jest.requireActual<typeof Client>("./queries");

export const {
  useDailyUsage,
  useStatus,
  useStatusRequest,
  useStatusReset,
  usePostDetails,
  useReceipt,
  useExitFlow,
} = client;

export function SwrProvider({ children }: { children: ReactNode }) {
  return (
    <client.SwrProvider>
      <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
    </client.SwrProvider>
  );
}
