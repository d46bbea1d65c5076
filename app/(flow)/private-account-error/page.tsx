import type { Metadata } from "next";
import { PrivateAccount } from "@/components/flow/private-account";
import { StartOverNotice, startOverTitle } from "@/components/flow/start-over-notice";
import { hasStartedFlow } from "@/lib/server/session";

export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
  return {
    title: (await hasStartedFlow()) ? "We Can't See This Post" : startOverTitle,
    description: "Likes cannot go to private posts. How to make an account public.",
    robots: { index: false },
  };
}

/** Step 2, failed. */
export default async function PrivateAccountErrorPage() {
  return (await hasStartedFlow()) ? <PrivateAccount /> : <StartOverNotice />;
}
