import type { Metadata } from "next";
import { StartOverNotice, startOverTitle } from "@/components/flow/start-over-notice";
import { Success } from "@/components/flow/success";
import { readReceipt } from "@/lib/server/session";

export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
  return {
    title: (await readReceipt()) ? "Likes Sent Successfully" : startOverTitle,
    description: "Your request for 50 free likes was accepted.",
    robots: { index: false },
  };
}

/** Step 4. */
export default async function SuccessPage() {
  const receipt = await readReceipt();
  return receipt ? <Success receipt={receipt} /> : <StartOverNotice />;
}
