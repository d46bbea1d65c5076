import type { Metadata } from "next";
import { StartOverNotice } from "@/components/flow/screens/start-over-notice";
import { Success } from "@/components/flow/success/success";
import { pageMetadata } from "@/components/site/page-metadata";
import { getSiteSettings } from "@/lib/server/config/env";
import { readReceipt } from "@/lib/server/identity/page-flow";

export const dynamic = "force-dynamic";

/** Returns this page's metadata. Without a receipt, returns the metadata of the start-over notice. */
export async function generateMetadata(): Promise<Metadata> {
  return pageMetadata((await readReceipt()) ? "success" : "startOver");
}

/** Renders step 4: the receipt of the order that the server accepted. */
export default async function SuccessPage() {
  const receipt = await readReceipt();
  if (!receipt) return <StartOverNotice />;
  return <Success receipt={receipt} demo={getSiteSettings().demoMode} />;
}
