import type { Metadata } from "next";
import { headers } from "next/headers";
import { PrivateAccount } from "@/components/flow/private-account";
import { StartOverNotice } from "@/components/flow/start-over-notice";
import { pageMetadata } from "@/components/site/page-metadata";
import { guidesFor } from "@/lib/content/private-account-guides";
import { hasStartedFlow } from "@/lib/server/session";

export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
  return pageMetadata((await hasStartedFlow()) ? "privateAccountError" : "startOver");
}

/** Step 2, failed. */
export default async function PrivateAccountErrorPage() {
  if (!(await hasStartedFlow())) return <StartOverNotice />;
  return <PrivateAccount guides={guidesFor((await headers()).get("user-agent") ?? "")} />;
}
