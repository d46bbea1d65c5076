import type { Metadata } from "next";
import { PrivateAccount } from "@/components/flow/private-account";
import { StartOverNotice } from "@/components/flow/start-over-notice";
import { pageMetadata } from "@/components/site/page-metadata";
import { hasStartedFlow } from "@/lib/server/session";

export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
  return pageMetadata((await hasStartedFlow()) ? "privateAccountError" : "startOver");
}

/** Step 2, failed. */
export default async function PrivateAccountErrorPage() {
  return (await hasStartedFlow()) ? <PrivateAccount /> : <StartOverNotice />;
}
