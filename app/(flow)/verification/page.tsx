import { Verification } from "@/components/flow/screens/verification";
import { Island } from "@/components/islands/island";
import { pageMetadata } from "@/components/site/page-metadata";

export const metadata = pageMetadata("verification");

/** Renders step 2, where the server checks the visitor's post. */
export default function VerificationPage() {
  return <Island name="flow/verification" component={Verification} props={{}} />;
}
