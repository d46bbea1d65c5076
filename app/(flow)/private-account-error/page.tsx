import type { Metadata } from "next";
import { headers } from "next/headers";
import { PrivateAccount } from "@/components/flow/screens/private-account";
import { StartOverNotice } from "@/components/flow/screens/start-over-notice";
import { pageMetadata } from "@/components/site/page-metadata";
import { guidesFor } from "@/lib/content/private-account-guides";
import { readPageFlow } from "@/lib/server/identity/page-flow";

export const dynamic = "force-dynamic";

/** Returns this page's metadata. Without a valid flow cookie, returns the metadata of the start-over notice. */
export async function generateMetadata(): Promise<Metadata> {
  return pageMetadata((await readPageFlow()) ? "privateAccountError" : "startOver");
}

/** Renders the error page for a post that is private or does not exist. Step 2 opens this page. */
export default async function PrivateAccountErrorPage() {
  const flow = await readPageFlow();
  if (!flow) return <StartOverNotice />;
  const guides = guidesFor((await headers()).get("user-agent") ?? "");
  return <PrivateAccount guides={guides} isPrivate={flow.refusal === "private"} />;
}
