import { Verification } from "@/components/flow/verification";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("verification");

/** Step 2. */
export default function VerificationPage() {
  return <Verification />;
}
