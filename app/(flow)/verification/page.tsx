import { Verification } from "@/components/flow/screens/verification";
import { Island } from "@/components/islands/island";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("verification");

/** Step 2. */
export default function VerificationPage() {
  return <Island name="flow/verification" part={Verification} props={{}} />;
}
